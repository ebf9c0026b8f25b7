/*
 * A trial: the fixes of findings made in the running program, in alternation with the program as it is, and what came
 * of it. trial_plan.h decides which fixes, trial_pairs.h which run comes next and what the times say,
 * trial_results.h whether results are the same. commands/trial_run.h runs the program.
 */
#ifndef STREAMTRACE_TRY_TRIAL_H
#define STREAMTRACE_TRY_TRIAL_H

#include "findings/analysis.h"
#include "trial/trial_pairs.h"
#include "trial/trial_plan.h"
#include "trial/trial_results.h"
#include "trial/trial_turns.h"

/* What the library counted of a place in the last run that had the fixes all the time. */
struct trial_count {
	uint64_t calls, applied;
	uint32_t refusals; /* bits: 1 << enum trial_refusal */
};

/* Why a trial ended before its time. */
enum trial_end {
	TRIAL_COMPLETE,
	TRIAL_STATUS_DIFFERS, /* a run with the fixes had another exit status */
	TRIAL_HUNG,	      /* a run with the fixes took many times as long, and was killed */
	TRIAL_UNSTEADY, /* an untouched run had another exit status than the one before, or hung */
	TRIAL_NOT_SEEN, /* no CUDA call went through libstrace_try.so */
	TRIAL_ASKED,	/* a signal ended this process */
	TRIAL_NOT_STARTED, /* why was printed */
};

/* Of all that is said, this comes first. */
enum trial_verdict {
#define VERDICT(id, name) VERDICT_##id,
#include "trial/trial_verdicts.def"
#undef VERDICT
};

struct trial {
	const struct trace *trace;
	const struct analysis *analysis;
	struct trial_plan plan;
	struct stated predicted; /* of what is tried; zeros without places */
	size_t unmade; /* call sites that are not in it, as no call of theirs was changed */
	struct trial_limits limits;
	/* What was run: */
	enum trial_end end;
	int status,
		ended_status; /* exit statuses: of the untouched program; of the run that ended otherwise */
	size_t runs;	      /* all */
	struct trial_turns turns; /* turns.count 0: `figures` has the times of whole runs */
	struct trial_figures figures;
	struct trial_comparison results;
	struct trial_count *counts;	     /* by place of the plan; NULL: no run had the fixes */
	uint64_t pinned_bytes, device_bytes; /* the most that a run took */
	uint32_t processes;		     /* the most of a run that made CUDA calls */
};

enum trial_verdict trial_verdict_of(const struct trial *trial);

/* "no-difference" */
const char *trial_verdict_name(enum trial_verdict verdict);

/* Whether the verdict says what the fixes save or cost. */
bool trial_has_saving(enum trial_verdict verdict);

/* Whether it says what came out, be it that there is no difference. */
bool trial_has_times(enum trial_verdict verdict);

/* Where the saving is that came out, seen from what was predicted. */
enum trial_side { SIDE_BELOW, SIDE_INSIDE, SIDE_ABOVE };
enum trial_side trial_side_of(const struct trial *trial);

/* Sums of the counts. */
struct trial_count trial_counted(const struct trial *trial);

/* After how many calls with the fixes, and after how many runs, what getting ready took is paid back; 0: never, or it took
 * nothing. */
struct trial_payback {
	uint64_t calls, runs;
} trial_payback_of(const struct trial *trial);

#endif
