#include "config.h"
#include "burst/burst.h"

#include <errno.h>
#include <stdlib.h>

int burst_check(const struct burst_plan *plan, const struct host *host, struct hostfs *fs,
		const double *os_busy, struct problem *ret_problem, struct problem *ret_note)
{
	(void)plan, (void)host, (void)fs, (void)os_busy, (void)ret_note;
	return problem_set(ret_problem, ENOTSUP, "", "bursts are not there yet");
}
struct list *burst_default_cpus(const struct host *host) { (void)host; return NULL; }
int burst_start(const struct burst_plan *plan, const struct host *host, struct board *board,
		struct burst **ret, struct problem *ret_problem)
{
	(void)plan, (void)host, (void)board, (void)ret;
	return problem_set(ret_problem, ENOTSUP, "", "bursts are not there yet");
}
bool burst_running(const struct burst *burst) { return burst != NULL; }
void burst_stop(struct burst *burst) { (void)burst; }
void burst_join(struct burst *burst) { (void)burst; }
void burst_free(struct burst *burst) { (void)burst; }
int burst_result(struct burst *burst, struct burst_result **ret) { (void)burst, (void)ret; return -ENOTSUP; }
void burst_result_free(struct burst_result *result) { free(result); }
