/* How long this machine's low clock outlasts a burst: measured by the first burst, kept in
 * $XDG_STATE_HOME/avxtop/release, keyed by CPU identity and boot. Best effort: failures are silent. */
#ifndef AVXTOP_ENGINE_RELEASE_H
#define AVXTOP_ENGINE_RELEASE_H

struct host;
struct hostfs;

/* Seconds, or NAN when never measured on this machine since boot. */
double release_load(const struct host *host, struct hostfs *fs);
void release_save(const struct host *host, struct hostfs *fs, double release_s);

#endif
