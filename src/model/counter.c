#include "config.h"
#include "model/counter.h"
