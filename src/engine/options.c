#include "config.h"
#include "engine/options.h"
