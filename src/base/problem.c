#include "config.h"
#include "base/problem.h"
