#include "config.h"
typedef int avxtop_empty;
