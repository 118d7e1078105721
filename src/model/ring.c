#include "config.h"
#include "model/ring.h"
