#include "config.h"
#include "burst/gauge.h"
