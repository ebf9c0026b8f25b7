/* Whether LD_PRELOAD reaches a program. */
#ifndef STREAMTRACE_REACH_H
#define STREAMTRACE_REACH_H

/* Why the loader will not load libstrace.so into the program, as the end of a sentence; NULL:
 * nothing is known to keep it from that. A name without a slash is looked for in PATH. */
const char *reach_obstacle(const char *program);

#endif
