/* Whether LD_PRELOAD can load libstrace.so into a program. One thread. */
#ifndef STREAMTRACE_REACH_H
#define STREAMTRACE_REACH_H

#include <stdbool.h>

struct reach {
	/* Why libstrace.so will not be loaded, as the end of a sentence: a constant. NULL: no obstacle is known. */
	const char *obstacle;
	bool is_refused; /* with LD_PRELOAD the program would not start: do not set it */
	bool needs_asan; /* AddressSanitizer's runtime ends the program unless it is told to accept LD_PRELOAD */
};

/* Reads the program's file. A name without a slash is searched in PATH, as execvp() does. A file that cannot be
 * opened gives a struct of zeros. */
struct reach reach_find(const char *program);

#endif
