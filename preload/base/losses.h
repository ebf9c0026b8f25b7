/*
 * What was lost, counted by kind until the writer thread makes rows of it (life/loss_rows.h).
 *
 * Any thread, signal handlers too: an atomic operation each, nothing that can fail.
 */
#ifndef STREAMTRACE_LOSSES_H
#define STREAMTRACE_LOSSES_H

#include "facts/facts.h"

#include <stdbool.h>
#include <stdint.h>

/* Adds to what was lost since losses_take(). */
void losses_count(enum loss loss, uint64_t count);

/* What was counted of this kind; the count begins anew. */
uint64_t losses_take(enum loss loss);

/* Whether anything was lost that was not taken. */
bool losses_are_counted(void);

/* losses.kind of schema.sql; static. */
const char *losses_name(enum loss loss);

/* In a forked child: the counts are the parent's. */
void losses_after_fork(void);

#endif
