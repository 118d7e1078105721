#include "config.h"
#include "base/list.h"
