#include "config.h"
#include "burst/burst.h"
