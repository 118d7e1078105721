#include "config.h"
#include "burst/core.h"
