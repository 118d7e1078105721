#include "config.h"
#include "model/state.h"
