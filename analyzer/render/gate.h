/*
 * What a gate says, for people and for what reads the results of a build. output_formats.def lists
 * the formats.
 *
 * Names come from traces, which are untrusted: each format escapes what it would read as its own.
 * False: out of memory. What is printed may not reach its file: ask ferror(). One thread.
 */
#ifndef STREAMTRACE_RENDER_GATE_H
#define STREAMTRACE_RENDER_GATE_H

#include "gate/gate.h"

#include <stdbool.h>
#include <stdio.h>

typedef bool (*gate_printer)(FILE *out, const struct gate *gate);

#define FORMAT(name, meaning, of_report, of_job, of_gate, ...)                                     \
	of_gate(bool gate_print_##name(FILE *out, const struct gate *gate);)
#include "render/output_formats.def"
#undef FORMAT

/* Whether the row would fail the gate if it were not allowed. */
static inline bool gate_row_is_error(const struct gate_row *row)
{
	bool is_bad = row->verdict == GATE_DENIED || row->verdict == GATE_LIMIT ||
		      row->verdict == GATE_NEW || row->verdict == GATE_WORSE;

	return row->fails || (is_bad && row->reason);
}

#endif
