/*
 * Prints the result of a gate, for people and for the tools of a build. output_formats.def lists the formats.
 *
 * Names come from traces, which are untrusted: each printer escapes what its format would take for syntax.
 * A printer returns false if memory runs out; what was printed is then incomplete. Failures to write show in
 * ferror(out) alone. One thread.
 */
#ifndef STREAMTRACE_GATE_REPORT_H
#define STREAMTRACE_GATE_REPORT_H

#include "gate/gate.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints the gate to out. Call after gate_check() or gate_diff(). */
typedef bool (*gate_printer)(FILE *out, const struct gate *gate);

#define FORMAT(name, meaning, of_report, of_job, of_gate, ...)                                     \
	of_gate(bool gate_print_##name(FILE *out, const struct gate *gate);)
#include "render/output_formats.def"
#undef FORMAT

struct page;

/* Prints gate->change, a line a number; nothing of a gate without one. */
void gate_print_change(const struct page *page, const struct gate *gate);

/* gate_schema.json: the JSON Schema of gate_print_json(). */
extern const char gate_schema[];

/* Whether the row fails the gate, or would fail it if the row's finding were not allowed. */
static inline bool gate_row_is_error(const struct gate_row *row)
{
	bool is_bad = row->verdict == GATE_DENIED || row->verdict == GATE_LIMIT ||
		      row->verdict == GATE_NEW || row->verdict == GATE_WORSE;

	return row->fails || (is_bad && row->reason);
}

/* Whether all that is to be said of the row's finding is that it is allowed: a row of a check. */
static inline bool gate_row_is_only_allowed(const struct gate_row *row)
{
	return row->reason && (row->verdict == GATE_DENIED || row->verdict == GATE_FOUND);
}

/* The verdict for a person. */
static inline const char *gate_row_word(const struct gate_row *row)
{
	return gate_row_is_only_allowed(row) ? "allowed" : gate_verdicts[row->verdict].word;
}

#endif
