/* Prints trials, and what texts and JSON say in the same words. One thread. */
#ifndef STREAMTRACE_TRIAL_TEXT_H
#define STREAMTRACE_TRIAL_TEXT_H

#include "trial/trial.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints the trial to out as text, or as one JSON object (try_schema.json). False: memory ran out. */
bool print_trial_text(FILE *out, const struct trial *trial);
bool print_trial_json(FILE *out, const struct trial *trial);

extern const char try_schema[];

/* Why nothing is said of a saving, as the end of a sentence; malloc'ed. NULL: the verdict is of the times. */
char *trial_text_obstacle(const struct trial *trial);

/* What came of it: "saves 40.2 ms (25.0 %, 95 % interval 37.2..43.8 ms, 6 pairs of runs): inside the predicted range", or why
 * nothing is said of a saving; malloc'ed. */
char *trial_text_outcome(const struct trial *trial);

/* Why libstrace_try.so left calls as they were: "the ring was full, no memory for it"; malloc'ed. NULL: it left none for a
 * reason. */
char *trial_text_left(const struct trial *trial);

#endif
