#include "config.h"
#include "format/sink.h"
