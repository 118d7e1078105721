#include "config.h"
#include "model/sample.h"
