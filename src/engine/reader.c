#include "config.h"
#include "engine/reader.h"
