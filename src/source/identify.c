#include "config.h"
#include "source/identify.h"
