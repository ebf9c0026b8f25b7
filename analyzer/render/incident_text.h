/*
 * What reports say of an incident (incident/incident.h), in the same words in each format. The caller frees each text.
 * Texts of the traced program are in it as they are: the caller escapes what its format would take for syntax. One
 * thread.
 */
#ifndef STREAMTRACE_INCIDENT_TEXT_H
#define STREAMTRACE_INCIDENT_TEXT_H

#include "incident/incident.h"

/* The first line of the report, without a full stop: "step 48,213 took 1.90 s (median 410 ms): 1.40 s in cudaMalloc at
 * loader.py:77 after cudaFree at loader.py:76, which normal steps do not call; 212 steps before it were normal", or
 * "cudaStreamSynchronize at x.cu:10 has not returned for 12.0 s; ...". */
char *incident_text(const struct incident *incident);

/* The same as a line of its own: it begins with a capital, unless that is a function's name. */
char *incident_text_line(const struct incident *incident);

/* The cause without the step: "1.40 s in cudaMalloc at loader.py:77 after ...". NULL: none is known. */
char *incident_text_cause(const struct incident *incident);

/* What a row of the step is, for a table: "cudaMalloc", "waiting for a lock", "without a processor". */
char *incident_text_what(const struct incident *incident, const struct step_part *part);

/* The row's line: "loader.py:77". "": it has none. */
char *incident_text_where(const struct incident *incident, const struct step_part *part);

/* "Where its time went, against the mean of 14 normal steps:". */
char *incident_text_title(const struct incident *incident);

/* The word of incidents.cause; static. */
const char *incident_cause_word(enum incident_cause cause);

/* Whether the table shows a row: it is some of the step's extra time, or work that a normal step does not have. */
bool incident_shows(const struct incident *incident, const struct step_part *part, bool all);

#endif
