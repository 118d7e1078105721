#include "config.h"
#include "base/data.h"
