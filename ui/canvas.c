#include "config.h"
#include "ui/canvas.h"
