/*
 * Makes lanes of what host threads did between their calls, as far as looks at the threads tell (model/host_record.h).
 *
 * An event goes from the first of the looks that found the thread so to the look behind the last of them. Calls as long
 * as the looks of their thread are apart, or longer, are cut out exactly, and are events themselves; shorter calls are a
 * part of the event around them. So a lane has no more events than a small multiple of the thread's looks, whatever the
 * number of its calls. The time without a processor stands at the end of its event. A lane is empty where nobody looked.
 *
 * One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_HTML_STATES_H
#define STREAMTRACE_HTML_STATES_H

#include "render/html_ranges.h"

/* Adds the lane of the thread. Nothing where it has no states. */
void html_add_states(const struct html_thread_lanes *to, uint32_t thread_id);

/* Adds the lanes of all threads that have made no calls, their ranges and states: the thread that did most first. A lane
 * of states whose thread did next to nothing but wait has the member folded, unless the thread has ranges. calling: has
 * the id of each thread that has made calls. */
void html_add_other_threads(const struct html_thread_lanes *to, const struct map *calling);

/* Returns the names of the classes VIEWER_READY to VIEWER_CLASS_COUNT - 1, an array. */
json_t *html_state_names(void);

#endif
