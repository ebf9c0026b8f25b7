/*
 * Gates: whether a trace, or what changed between two sets of traces, is to stop a build.
 *
 * A gate judges causes before times. A finding is the same in two traces when its detector, its
 * file's name and its function are (places.h): edits move lines. What it is judged by is how many
 * calls and bytes its place makes, which hardly vary from run to run; times only where enough traces
 * of each side show how much they vary by themselves (compare.h). What a trace cannot tell is a
 * doubt: the gate does not pass then, and does not fail for it.
 *
 *   allowed.h  the findings that are known, each with a reason
 *   run.h      what a gate keeps of a trace
 *   check.h    one set of traces against what is denied
 *   diff.h     two sets against each other
 *   ranks.h    which traces of them: those of one rank
 *
 * Strings of traces are untrusted: they have passed arena_text(). Texts belong to the gate's arena,
 * or are constants. Out of memory ends the program (base/memory.h). One thread.
 */
#ifndef STREAMTRACE_GATE_H
#define STREAMTRACE_GATE_H

#include "base/vector.h"

struct allowed;

enum gate_verdict {
	GATE_NONE, /* nothing to say */
#define GATE_VERDICT(symbol, word, baseline, meaning) GATE_##symbol,
#include "gate/verdicts.def"
#undef GATE_VERDICT
	GATE_VERDICT_COUNT
};

struct gate_verdict_row {
	const char *word, *baseline, *meaning;
};

extern const struct gate_verdict_row gate_verdicts[GATE_VERDICT_COUNT];

/* What is asked. */
struct gate_rules {
	const char *deny;	 /* detectors' ids with commas, or "all"; NULL: none */
	double max_lost;	 /* of the run, 0.05 for 5 %; negative: no limit */
	const char *root;	 /* files below this folder are named from there; or NULL */
	struct allowed *allowed; /* NULL: nothing is */
	bool needs_times;	 /* diff: times that cannot be judged are a doubt */
};

/* Where the build goes on reading. */
struct gate_place {
	const char *file; /* below the root, or as the trace names it; or NULL */
	int line;	  /* 0: not known */
	const char *name; /* for a person: "load.cu:22 in load_batch" */
};

struct gate_row {
	enum gate_verdict verdict;
	bool fails;		      /* it alone fails the gate */
	const char *identity;	      /* the same in every trace; "" of GATE_LIMIT */
	const char *id, *title, *fix; /* the detector's; "max-lost" of GATE_LIMIT, without a fix */
	struct gate_place place;
	const char *text;    /* how often, what it costs, what changed: one line */
	const char *message; /* the title and that */
	const char *reason;  /* why it is allowed; NULL: it is not */
	double order;	     /* what it costs: ns */
};

enum gate_level {
	GATE_INFO,
	GATE_WARNING, /* to be looked at: nothing that the status depends on */
	GATE_DOUBT    /* why the gate cannot pass */
};

struct gate_note {
	enum gate_level level;
	const char *text;	 /* one line */
	struct gate_place place; /* of an entry of the list of what is allowed; else empty */
};

enum gate_status { GATE_PASSED, GATE_FAILED, GATE_UNDETERMINED };

struct gate {
	const char *command;	  /* "check" or "diff" */
	const char *const *paths; /* the traces: base's first */
	size_t base_count, path_count;
	VECTOR(struct gate_row) rows; /* the worst first */
	VECTOR(struct gate_note) notes;
	struct arena arena;
	enum gate_status status; /* by gate_finish() */
};

void gate_add_note(struct gate *gate, enum gate_level level, const char *text);

/* Notes the entries of the list that matched nothing, sorts the rows and sets the status. */
void gate_finish(struct gate *gate, const struct gate_rules *rules);

/* "passed", "failed: 2 findings", "inconclusive: 1 reason": one line. */
const char *gate_summary(const struct gate *gate, struct arena *arena);

void gate_free(struct gate *gate);

#endif
