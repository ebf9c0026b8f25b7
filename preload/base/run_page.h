/* What this process tells `streamtrace run` (facts/run_page.h). Without such a page all functions do nothing. */
#ifndef STREAMTRACE_PRELOAD_RUN_PAGE_H
#define STREAMTRACE_PRELOAD_RUN_PAGE_H

#include "facts/run_page.h"

#include <stdbool.h>

/* Maps the page that STREAMTRACE_TELL names, and counts this program. is_wanted: it is to be traced. Call once, in the
 * constructor, after options_read(). */
void run_page_open(bool is_wanted);

/* Any thread, forked children too. */
void run_page_tell(enum run_met met);

/* Tells that the process ends, and how many steps it has begun. A program counts once, and its forked children do not.
 * Takes the lock of dl_iterate_phdr(). */
void run_page_tell_end(long steps);

/* Tells that the program goes on: its exec has failed. */
void run_page_tell_no_end(void);

#endif
