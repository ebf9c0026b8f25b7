/*
 * Gates: whether a trace, or what changed between two sets of traces, is to stop a build.
 *
 * A gate judges causes before times. Two traces have the same finding if the detector, the name of
 * the file and the function are the same (places.h): edits move lines. Findings are judged by the
 * number of calls and bytes of their place, which hardly vary from run to run. Times count only if
 * each side has enough traces to show how much times vary by themselves (compare.h). A doubt is
 * something that a trace does not tell. A gate with a doubt does not pass; a doubt alone does not
 * fail it.
 *
 *   allowed.h     the findings that are known, each with a reason
 *   gate_run.h    what a gate keeps of a trace
 *   gate_check.h  compares one set of traces with what is denied
 *   gate_diff.h   compares two sets of traces with each other
 *   gate_change.h what changed as a whole
 *   ranks.h       pairs the traces of the two sets by rank
 *
 * Strings of traces are untrusted: all have passed arena_text(). Texts are constants, or belong to
 * the gate's arena or to the runs. If memory runs out, the program ends (base/memory.h). One
 * thread.
 */
#ifndef STREAMTRACE_GATE_H
#define STREAMTRACE_GATE_H

#include "base/vector.h"
#include "findings/range.h"

struct allowed;

/* What a gate says of a finding. */
enum gate_verdict {
	GATE_NONE, /* nothing to say */
#define GATE_VERDICT(symbol, word, baseline, meaning) GATE_##symbol,
#include "gate/verdicts.def"
#undef GATE_VERDICT
	GATE_VERDICT_COUNT
};

/* The texts of a verdict, as verdicts.def explains. The row of GATE_NONE is NULLs. */
struct gate_verdict_row {
	const char *word, *baseline, *meaning;
};

extern const struct gate_verdict_row gate_verdicts[GATE_VERDICT_COUNT];

/* What the user asks of a gate. The pointers must outlive the gate. */
struct gate_rules {
	const char *deny;	 /* ids with commas (ids.h), or "all"; NULL: none */
	double max_lost;	 /* a share of the run, 0.05 for 5 %; negative: no limit */
	const char *root;	 /* files below this folder are named relative to it; or NULL */
	struct allowed *allowed; /* NULL: no finding is allowed */
	/* What a finding must save to fail the gate: both, and more than nothing. */
	int64_t least_ns;
	double least_share; /* of the run */
	bool needs_times;   /* diff: times that cannot be judged are a doubt */
};

/* Where a finding is, for the tools of a build. */
struct gate_place {
	const char *file; /* relative to rules->root, or as the trace names it; or NULL */
	int line;	  /* 0: not known */
	const char *name; /* for a person: "load.cu:22 in load_batch"; or NULL */
};

/* A finding that the gate judged, or a trace over the limit (GATE_LIMIT). */
struct gate_row {
	enum gate_verdict verdict;
	bool fails;		      /* this row alone fails the gate */
	const char *identity;	      /* the same in every trace; GATE_LIMIT: "" */
	const char *id, *title, *fix; /* of the finding; GATE_LIMIT: "max-lost", fix is NULL */
	struct gate_place place;      /* GATE_LIMIT: only name, the trace's path */
	struct gate_place other;      /* of a race: the second access; else zeros */
	const char *text;	      /* how often, what it costs, what changed: one line */
	const char *message;	      /* the title, then the text */
	const char *reason;	      /* why the finding is allowed; NULL: it is not allowed */
	const char *moved_from;	      /* where base has it, if in another line; or NULL */
	double order;		      /* ns that the finding costs; rows are sorted by it */
};

enum gate_level {
	GATE_INFO,
	GATE_DIFFERENCE, /* base and head are not of one program, input or device: printed first */
	GATE_WARNING,	 /* for the user to check; the status does not depend on it */
	GATE_DOUBT	 /* a reason why the gate cannot pass */
};

struct gate_note {
	enum gate_level level;
	const char *text;	 /* one line */
	struct gate_place place; /* the line of the allow list, if the note is on one; else zeros */
};

enum gate_status { GATE_PASSED, GATE_FAILED, GATE_UNDETERMINED };

/* What the runs of a side take, without the tracer, in ns. */
struct gate_times {
	size_t runs;
	int64_t least_ns, median_ns, most_ns;
	/* Before the first operation on a device and behind the last one: the medians. */
	int64_t lead_ns, tail_ns;
};

/* What changed between base and head, in three numbers (gate_change.h): the wall time, what was to
 * be saved and what was, and what is left. */
struct gate_change {
	const char *rank;	      /* the only one that the numbers are of; NULL: all runs */
	struct gate_times base, head; /* as measured */
	double scale;		      /* how much more work head did than base */
	/* The wall time of base minus that of head, for the work of base. The true one lies between
	 * low_ns and high_ns with a probability of `percent` (shift.h). */
	int64_t realised_ns, low_ns, high_ns;
	int percent;
	int64_t behind_lead_ns; /* the same difference without both sides' lead_ns */
	int64_t between_ns;	/* nor their tail_ns: from the first operation to the last */
	/* What base's replay with the fixes of all findings that are gone saves. */
	bool has_predicted;
	struct stated predicted;
	const char *no_prediction; /* why there is none; NULL: nothing is gone */
	size_t gone_count;	   /* rows of findings that are gone */
	size_t base_run;	   /* whose replay that is: base's run of median wall time */
	/* What the fixes of all findings of head's run of median wall time save together. */
	bool has_left;
	struct stated left;
	int64_t left_of_ns; /* the wall time of head's run of median wall time */
	size_t left_count;  /* places with findings in it */
};

/* A gate and its result. Zero-initialize the struct, and release it with gate_free(). */
struct gate {
	const char *command; /* "check" or "diff" */
	/* The traces' paths: first the base_count paths of the base, then the others. The array and
	 * the texts belong to the caller. */
	const char *const *paths;
	size_t base_count, path_count;
	bool has_change;
	struct gate_change change;    /* of a diff */
	VECTOR(struct gate_row) rows; /* after gate_finish(): the worst first */
	VECTOR(struct gate_note) notes;
	struct arena arena;
	enum gate_status status; /* set by gate_finish() */
};

/* Adds a note, unless the gate has a note with the same text. The gate keeps the pointer text,
 * which must outlive the gate. */
void gate_add_note(struct gate *gate, enum gate_level level, const char *text);

/* Call once, after all rows and notes were added. Adds a note for each entry of rules->allowed that
 * matched no finding, sorts the rows and sets the status. */
void gate_finish(struct gate *gate, const struct gate_rules *rules);

/* A time as a whole number, at most 2^62: figures of other files can be anything. */
static inline int64_t gate_ns(double ns)
{
	const double most = 4611686018427387904.0;

	return ns > most ? (int64_t)most : ns < -most ? -(int64_t)most : (int64_t)ns;
}

/* Whether a finding that saves so much of the run may fail the gate. */
static inline bool gate_is_enough(const struct gate_rules *rules, int64_t saved_ns, int64_t run_ns)
{
	return saved_ns > 0 && saved_ns >= rules->least_ns &&
	       (double)saved_ns >= rules->least_share * (double)run_ns;
}

/* One line on the status: "passed", "failed: 2 findings", "inconclusive: 1 reason". The text is a
 * constant or in the arena. Call after gate_finish(). */
const char *gate_summary(const struct gate *gate, struct arena *arena);

/* Frees the gate's rows, notes and arena, not the struct, paths and runs. */
void gate_free(struct gate *gate);

#endif
