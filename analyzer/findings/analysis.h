/*
 * What the analyzer found out about a trace: what the renderers print.
 *
 * Everything belongs to the analysis and lives until analysis_free(); strings of sites belong to
 * the trace. One thread.
 */
#ifndef STREAMTRACE_ANALYSIS_H
#define STREAMTRACE_ANALYSIS_H

#include "findings/failures.h"
#include "findings/range.h"
#include "replay/observed.h"
#include "trace/site.h"

struct detector;
struct instance;
struct interval;
struct sample;

/* An instance of a finding, for a person. */
struct evidence_row {
	int64_t start_ns, end_ns; /* its span, since the trace's first call */
	char *text;		  /* one line */
	/* Kernels of the line, as their source spells them: what the text shortens. NULL: none. */
	const char *kernel, *cause_kernel;
	const struct trace_call *call; /* instance_call() */
	/* The innermost NVTX range that the call was made in; NULL: none. */
	const struct trace_range *range;
};

/* A line of a finding. */
struct finding_site {
	struct site site;
	size_t count;	    /* calls or operations there */
	int64_t blocked_ns; /* the sum of their spans */
};

struct finding {
	const char *id;	   /* "pageable-copy" */
	const char *title; /* one line */
	const char *fix;   /* one or two sentences, names the call to write instead */
	/* What has to hold for the fix, and what it costs: without a full stop; NULL: not known. */
	const char *relies_on, *price;
	char *measured_price; /* instead of price, from what this run shows; or NULL */
	bool is_other_advice; /* the fix is not the detector's, nor is its price */
	const char *cost;     /* what blocked_ns was: "blocked", "delayed" */
	struct site site;
	/* All lines that its cause shows in (detectors/cause.h), with `site` first: where the sum of the
	 * spans is the largest. */
	struct finding_site *sites;
	size_t site_count;
	const char
		*shared; /* what several lines have in common: "host memory"; NULL: there is one */
	/* In which pass it was found: the first is over the trace, a later one over the run with
	 * the fixes of all findings before. Its times and what it loses are those there. What saves
	 * something only beside these counts as found in the second, with the trace's times. */
	int pass;
	size_t count;	    /* calls or operations */
	int64_t blocked_ns; /* the sum of the spans: mostly what the host or operations waited */
	struct stated lost;
	struct interval *replayed;     /* interval_private.h; belongs to it */
	struct evidence_row *evidence; /* the longest first */
	size_t evidence_count;
	bool is_folded; /* it saves less than 0.5 % of the run, alone and with others */
	bool is_hidden; /* not what was asked for (selection.h) */
	/* What its fix saves once those of the findings above it in the list are in; -1: not
	 * known. */
	int64_t in_order_ns;
	/* More of the wait than the fix saves goes on in calls of a finding below it, whose fix
	 * must go with this one: its index in analysis.findings, and how long; 0: in none. */
	size_t moves_to;
	int64_t moved_ns;
	/* For whatif.h: who found it; what its fix applies to, in the order of the trace; the bound
	 * of what that saves beyond what was found in the first pass; and how many findings were
	 * found before it. */
	const struct detector *detector;
	struct instance *instances;
	size_t instance_count;
	int64_t later_ns;
	size_t order;
};

/* What the fix costs, or NULL. */
static inline const char *finding_price(const struct finding *finding)
{
	return finding->measured_price ? finding->measured_price : finding->price;
}

/* Whether a report has it. all: folded ones too. */
static inline bool finding_is_shown(const struct finding *finding, bool all)
{
	return !finding->is_hidden && (all || !finding->is_folded);
}

struct not_seen {
	char *what, *why; /* one line each */
};

/* How the engines of a device shared the run. */
struct device_load {
	int64_t busy_ns[ENGINE_COUNT];
	int64_t idle_ns;       /* none was busy */
	int64_t overlapped_ns; /* at least two were */
};

struct device {
	uint32_t id;
	/* From its first operation to its last: as traced, and in the replay without a fix. */
	int64_t measured_ns, replayed_ns;
	struct device_load load; /* devices.h */
	const char *name;	 /* NULL: not known */
	struct stated lost;	 /* all findings together, as analysis.lost */
	struct interval *replayed;
};

struct analysis {
	int64_t origin_ns; /* the first traced call or operation, or window */
	int64_t wall_ns;   /* from there to the end of the last one; or the sum of the windows */
	int64_t lead_ns;   /* from there to the start of the first operation; 0 with windows */
	int64_t busy_ns[ENGINE_COUNT];
	int64_t idle_ns; /* no engine was busy */
	struct failed_calls failed;
	int64_t overlapped_ns; /* at least two engines were busy */
	struct stated lost;    /* all findings together, not their sum */
	struct interval *replayed;
	int64_t replayed_ns;   /* wall_ns of the unedited replay; -1: it could not be run */
	int64_t most_least_ns; /* bound_most_least_time() */
	int64_t best_case_ns;  /* the same with edits.is_best_case, without outside_ns */
	double spread;	       /* of the times of like operations (spread.h) */
	/* wall_ns without the tracer, and by how much it may be less or more; wall_ns and 0 where the
	 * trace does not say what the tracer added. Savings and shares are of this. */
	int64_t untraced_ns, untraced_doubt_ns;
	bool has_untraced, has_untraced_cupti; /* its own part is known; CUPTI's, too */
	int64_t outside_ns;	/* of both: before and behind all activity, in the window */
	struct device *devices; /* each device that ran something */
	size_t device_count;
	/* false: the replay misses the measured time by too much, or cannot be run */
	bool has_estimates;
	struct finding *findings; /* folded ones last; by pass and estimate */
	size_t finding_count, folded_count;
	size_t hidden_count;	  /* not asked for, of those that the report shows else */
	struct stated shown_lost; /* where some are not: the others together */
	int64_t folded_lost_ns;	  /* the sum of the folded ones' estimates, at most wall_ns */
	struct first_use_line *first_use_lines; /* first_use_waits.h */
	size_t first_use_line_count;
	struct idle *idle; /* idle.h: why the GPU was idle */
	struct not_seen *not_seen;
	size_t not_seen_count;
	const struct trace *whole; /* the run: what the model is of, or what that is a sample of */
	struct sample *sample;	   /* or NULL: the model is of the whole run */
	/* With a sample: what findings together save can be wrong by so much because of it, which is in
	 * their range. */
	int64_t sample_error_ns;
	struct observed observed; /* of the whole run, or of the sample */
};

/* Whether a replay without an edit comes so near to the measured time (2 % of it, and what a sample may be off
 * by) that one with edits predicts another run. */
bool analysis_is_near(int64_t replayed_ns, int64_t measured_ns, double unsure_ns);

/* What analysis_run() takes of memory beside the trace, at least. */
uint64_t analysis_least_bytes(const struct trace *trace);

/* Runs every detector (detectors/). Never fails: out of memory ends the program. */
struct analysis *analysis_run(const struct trace *trace);

/* The same with these detectors; NULL ends them. */
struct analysis *analysis_run_with(const struct trace *trace, const struct detector *const *with);

/* The same from a sample of the run (sample/sample.h), where it is long and repeats itself so much that the
 * sample says within 1 % of the run what all of it would; else of all of it. */
struct analysis *analysis_run_sampled(const struct trace *trace);

void analysis_free(struct analysis *analysis);

#endif
