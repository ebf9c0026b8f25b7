/* Whether LD_PRELOAD reaches a program. */
#ifndef STREAMTRACE_REACH_H
#define STREAMTRACE_REACH_H

#include <stdbool.h>

struct reach {
	/* Why the loader will not load libstrace.so into the program, as the end of a sentence; NULL:
	 * no obstacle is known. */
	const char *obstacle;
	bool is_refused; /* with LD_PRELOAD the program would not even start */
	bool needs_asan; /* a library before AddressSanitizer's: it ends the program, unless told not to */
};

/* A name without a slash is searched in PATH. */
struct reach reach_find(const char *program);

#endif
