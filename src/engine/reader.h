/* The one thread that reads sources: only it may block; hands whole samples over by double buffer. */
#ifndef AVXTOP_ENGINE_READER_H
#define AVXTOP_ENGINE_READER_H

#include <stdbool.h>
#include <stdint.h>

struct host;
struct sample;
struct source;
struct source_ops;

struct reader_source {
	const struct source_ops *ops;
	struct source *source;
};

struct reader;
int reader_start(const struct host *host, const struct reader_source *sources, unsigned n_sources,
		 uint64_t interval_ns, struct reader **ret);
void reader_stop(struct reader *reader); /* joins; NULL is fine */
void reader_set_interval(struct reader *reader, uint64_t interval_ns);
void reader_kick(struct reader *reader);
int reader_fd(const struct reader *reader); /* eventfd */
/* Copies the waiting sample into *into (same host); false when none waits. */
bool reader_take(struct reader *reader, struct sample *into);

#endif
