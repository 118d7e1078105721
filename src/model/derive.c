#include "config.h"
#include "model/derive.h"
