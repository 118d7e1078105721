#include "config.h"
#include "base/text.h"
