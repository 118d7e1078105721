#include "config.h"
#include "cmd/cmd.h"

int command_burst(const struct options *options)
{
	(void)options;
	return EXIT_IMPOSSIBLE;
}
