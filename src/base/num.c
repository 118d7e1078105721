#include "config.h"
#include "base/num.h"
