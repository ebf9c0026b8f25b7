/*
 * Rules: how the fix of a finding changes the source, where a rule of thumb is enough to be right. A rule
 * belongs to a detector (rules.def). It changes nothing unless the source is what the rule expects. One thread.
 */
#ifndef STREAMTRACE_RULES_H
#define STREAMTRACE_RULES_H

#include "findings/analysis.h"
#include "rewrite/patch.h"
#include "rewrite/syntax.h"

/* A line of a finding, and the changes that a rule makes for it. */
struct rewriting {
	const struct instance *instance; /* one at this line */
	const struct trace_call *call;	 /* the recorded call of the line */
	const struct code *code;
	struct piece line;
	patch changes;
	const char
		*needs; /* what must hold besides finding.relies_on, without a full stop; or NULL */
};

/* Adds its changes, and returns NULL. Else returns why there are none: half a sentence, without a full stop;
 * *changes may then have some. */
typedef const char *(*rewrite_rule)(struct rewriting *rewriting);

#define REWRITE(id, rule)	 const char *rewrite_##rule(struct rewriting *rewriting);
#define REWRITE_PYTHON(id, rule) const char *rewrite_##rule(struct rewriting *rewriting);
#define REWRITE_NONE(id, why)
#include "rewrite/rules.def"
#undef REWRITE
#undef REWRITE_PYTHON
#undef REWRITE_NONE

/* For rules. The name in the trace without the driver's prefixes: "cudaMemcpy". */
const char *rewriting_function(const struct rewriting *rewriting);

/* Finds the call at the line, which must have so many arguments, and the function around it. NULL: found; else why
 * not. */
const char *rewriting_find(const struct rewriting *rewriting, const char *function, size_t count,
			   struct code_call *call, struct piece *around);

/* Why a rule that looks at the function around the line does not. */
extern const char rewriting_no_function[];

/* The blanks at the start of the line of the position. */
struct piece rewriting_indent(const struct code *code, size_t at);

/* The text of a piece for patch_add()'s "%.*s". */
#define PIECE(code, piece) (int)((piece).end - (piece).start), (code)->text + (piece).start

#endif
