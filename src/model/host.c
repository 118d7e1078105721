#include "config.h"
#include "model/host.h"
