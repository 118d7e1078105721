#include "config.h"
#include "engine/session.h"
