/* What memory of the process is, by /proc/self/maps. Any thread. */
#ifndef STREAMTRACE_TRIAL_MAPPINGS_H
#define STREAMTRACE_TRIAL_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether all of the memory may be read and written, is of no file, and is shared with no other process. Also false if it cannot
 * be told. */
bool mappings_are_private(uintptr_t low, uintptr_t high);

#endif
