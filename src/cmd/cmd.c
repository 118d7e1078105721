#include "config.h"
#include "cmd/cmd.h"
