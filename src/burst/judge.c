#include "config.h"
#include "burst/judge.h"
