#include "config.h"
#include "source/source.h"
