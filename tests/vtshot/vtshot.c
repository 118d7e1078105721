/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vtshot: drives a terminal program in a pseudo-terminal and photographs its screen. The steps are in `usage`. */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keys.h"
#include "shot.h"
#include "steps.h"

static const char usage[] =
	"usage: vtshot [-g COLSxROWS] [-t TERM] [-T SECONDS] [-d DIR] 'SCRIPT' -- PROGRAM [ARG...]\n"
	"\n"
	"SCRIPT is a list of steps separated by ';' (a ';' to type is \\x3b):\n"
	"  wait TEXT     until TEXT is somewhere on the screen\n"
	"  gone TEXT     until it is nowhere\n"
	"  expect TEXT   fails unless TEXT is on the screen now\n"
	"  reject TEXT   fails if TEXT is on the screen now\n"
	"  stable MS     until nothing has been drawn for MS milliseconds\n"
	"  sleep MS\n"
	"  key STRING    types it; \\e \\n \\t \\\\ \\xHH, <SPACE> <UP> <DOWN> <LEFT> <RIGHT> <PGUP>\n"
	"                <PGDN> <HOME> <END> <BACKSPACE> <F1> to <F12>, as TERM's keyboard sends them\n"
	"  click COLxROW presses and releases the left mouse button there, counted from 0\n"
	"  resize COLSxROWS  changes the window size\n"
	"  snap NAME     writes DIR/NAME.txt, .ans and .svg\n"
	"  within MS STEP  another step, that must be done in so many milliseconds; prints how many it took\n"
	"  time NAME     prints NAME and the milliseconds from the start until the program last drew\n"
	"  signal NAME   sends a signal, as TERM or 15\n"
	"  hangup        closes the terminal, as a lost connection does\n"
	"  exit [CODE]   waits for the program to end; with this status (128 + N by signal N)\n"
	"  restored      fails unless the terminal is as a shell expects it\n"
	"Status: 0 all steps done, 1 a step failed (the screen is printed), 2 wrong use.\n"
	"The program's process group is killed when the script ends.\n";

int main(int argc, char **argv)
{
	struct shot shot = { .dir = ".", .limit = 10 };
	const char *term = "xterm-256color";
	int option, cols = 80, rows = 24;

	while ((option = getopt(argc, argv, "+g:t:T:d:h")) != -1)
		switch (option) {
		case 'g':
			step_size(optarg, &cols, &rows);
			break;
		case 't':
			term = optarg;
			break;
		case 'T':
			shot.limit = step_number(optarg);
			break;
		case 'd':
			shot.dir = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	if (argc - optind < 3 || strcmp(argv[optind + 1], "--") || cols < 1 || rows < 1) {
		fputs(usage, stderr);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	keys_open(term);
	screen_open(&shot.screen, rows, cols);
	shot_start(&shot, term, argv + optind + 2);
	char *rest = NULL;

	for (char *step = strtok_r(argv[optind], ";", &rest); step; step = strtok_r(NULL, ";", &rest))
		step_run(&shot, step);
	shot_end(&shot);
	screen_close(&shot.screen);
	return 0;
}
