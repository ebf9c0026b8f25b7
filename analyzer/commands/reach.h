/* Whether LD_PRELOAD reaches a program. */
#ifndef STREAMTRACE_REACH_H
#define STREAMTRACE_REACH_H

/* Why the loader will not load libstrace.so into the program, as the end of a sentence; NULL: no
 * obstacle is known. A name without a slash is searched in PATH. */
const char *reach_obstacle(const char *program);

#endif
