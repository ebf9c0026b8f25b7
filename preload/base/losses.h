/*
 * Counters of lost data, one a kind (facts/loss_kinds.def), until the writer thread stores them as
 * rows (life/loss_rows.h).
 *
 * Any thread, signal handlers too. Each function is atomic and cannot fail.
 */
#ifndef STREAMTRACE_LOSSES_H
#define STREAMTRACE_LOSSES_H

#include "facts/facts.h"

#include <stdbool.h>
#include <stdint.h>

/* Adds count to the counter of this kind. */
void losses_count(enum loss loss, uint64_t count);

/* Returns the counter of this kind and sets it to 0. */
uint64_t losses_take(enum loss loss);

/* Whether any counter is above 0. */
bool losses_are_counted(void);

/* The word for this kind in column losses.kind (schema.sql); static. */
const char *losses_name(enum loss loss);

/* Call in a forked child: sets all counters to 0, since the parent stores them. */
void losses_after_fork(void);

#endif
