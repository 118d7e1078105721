#include "config.h"
#include "burst/kernel.h"
