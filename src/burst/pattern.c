#include "config.h"
#include "burst/pattern.h"
