#include "config.h"
#include "model/facts.h"
