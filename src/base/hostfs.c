#include "config.h"
#include "base/hostfs.h"
