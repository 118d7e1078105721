#include "config.h"
#include "base/clock.h"
