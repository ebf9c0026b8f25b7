/*
 * The largest reasons why the GPU was idle, in one sentence that stays short however many lines of the host there are.
 * One thread.
 */
#ifndef STREAMTRACE_IDLE_REASONS_H
#define STREAMTRACE_IDLE_REASONS_H

#include "findings/idle.h"
#include "render/host_text.h"

/* A part of the idle time: a cause, or one row of what the host did. */
struct idle_reason {
	int64_t ns;
	enum idle_cause cause;
	const struct host_idle_row *host; /* NULL: all of the cause */
};

/* "host busy between calls", "CUDA start-up (252 ms, once, mostly cudaStreamCreate at app.cu:142)", or a host row as
 * host_row_text() has it. The caller frees the text. */
char *idle_reason_text(const struct host_texts *texts, const struct idle_table *table,
		       const struct idle_reason *reason);

/* "compiling at app/train.py:246 (PyTorch) 32.3 %, ..., other 30.8 %: 26 lines of the host 17.8 % (5.8 % at most),
 * kernels starting 3.5 %": the largest four, and what the rest is if it is much. Shares are of the table's idle time.
 * The caller frees the text. */
char *idle_reasons_text(const struct host_texts *texts, const struct idle_table *table);

/* Whether the part is at least this share of the whole, and not 0. */
bool idle_is_share(int64_t part_ns, int64_t whole_ns, double share);

#endif
