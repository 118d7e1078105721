#include "config.h"
#include "engine/release.h"
