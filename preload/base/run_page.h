/* What this process tells `streamtrace run` (facts/run_page.h). Without such a page all functions do nothing. */
#ifndef STREAMTRACE_PRELOAD_RUN_PAGE_H
#define STREAMTRACE_PRELOAD_RUN_PAGE_H

#include "facts/run_page.h"

/* Maps the page that STREAMTRACE_TELL names, and counts this program. Call once, in the constructor, after
 * options_read(). */
void run_page_open(void);

/* Tells of libcuda or libcudart, if it is loaded. Takes the lock of dl_iterate_phdr(): call in the constructor. */
void run_page_tell_library(void);

/* Any thread, forked children too; async-signal-safe. steps: that this process has begun. */
void run_page_tell(enum run_met met);
void run_page_tell_steps(uint32_t steps);

#endif
