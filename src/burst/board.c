#include "config.h"
#include "burst/board.h"
