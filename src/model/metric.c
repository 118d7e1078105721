#include "config.h"
#include "model/metric.h"
