#include "config.h"
#include "model/snapshot.h"
