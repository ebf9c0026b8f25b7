/*
 * An analysis: what the analyzer found in a trace, and what the renderers print. Everything belongs
 * to the analysis and lives until analysis_free(), except strings of sites, which belong to the
 * trace. The trace must outlive the analysis. One thread.
 */
#ifndef STREAMTRACE_ANALYSIS_H
#define STREAMTRACE_ANALYSIS_H

#include "findings/devices.h"
#include "findings/failures.h"
#include "findings/first_use_waits.h"
#include "findings/headline.h"
#include "findings/idle.h"
#include "findings/not_seen.h"
#include "findings/range.h"
#include "findings/self_check.h"
#include "replay/observed.h"
#include "trace/site.h"

struct detector;
struct instance;
struct interval;
struct sample;

/* An instance of a finding, as it is printed. */
struct evidence_row {
	int64_t start_ns, end_ns; /* its span, since the trace's first call */
	char *text;		  /* one line */
	/* The kernels that the text names in short, as their source spells them. NULL: none. */
	const char *kernel, *cause_kernel;
	const struct trace_call *call; /* instance_call() */
	/* The innermost NVTX range that the call was made in; NULL: none. */
	const struct trace_range *range;
};

/* A line of a finding. */
struct finding_site {
	struct site site;
	size_t count;	    /* calls or operations there */
	int64_t blocked_ns; /* sum of their spans */
};

struct finding {
	const char *id;	   /* "pageable-copy" */
	const char *title; /* one line */
	const char *fix;   /* one or two sentences, with the call to write instead */
	/* What must be true for the fix, and what it costs; without a full stop. NULL: unknown. */
	const char *relies_on, *price;
	char *measured_price; /* used instead of price: computed from this run; or NULL */
	bool is_other_advice; /* fix and price are not the detector's own */
	const char *cost;     /* what blocked_ns is called in reports: "blocked", "delayed" */
	struct site site;
	/* All lines in which its cause shows (detectors/cause.h). The first is `site`, which has
	 * the largest sum of spans. */
	struct finding_site *sites;
	size_t site_count;
	const char *shared; /* what the lines share: "host memory"; NULL: there is only one line */
	/* The pass in which it was found: the first is over the trace, a later one over the run
	 * with the fixes of all earlier findings; its times and its saving are of that run. A
	 * finding of the first pass that saves time only beside others counts as of the second,
	 * with the trace's times. */
	int pass;
	size_t count;	    /* calls or operations */
	int64_t blocked_ns; /* sum of the spans: usually how long the host or operations waited */
	struct stated lost;
	struct interval *replayed;     /* interval_private.h; belongs to it */
	struct evidence_row *evidence; /* longest first */
	size_t evidence_count;
	bool is_folded; /* saves less than 0.5 % of the run, alone and with others */
	bool is_hidden; /* not among those that the user asked for (selection.h) */
	/* What its fix saves after those of the findings above it in the list; -1: unknown. */
	int64_t in_order_ns;
	/* Its wait moves to calls of a finding below it, for longer than this fix saves, so that
	 * both fixes are needed: that finding's index in findings.items, and the time moved.
	 * moved_ns 0: to none. */
	size_t moves_to;
	int64_t moved_ns;
	/* For whatif_run.h: the detector that found it; the instances that its fix changes, in the
	 * order of the trace; the bound of what it saves beyond the first pass's findings; and how
	 * many findings were found before it. */
	const struct detector *detector;
	struct instance *instances;
	size_t instance_count;
	int64_t later_ns;
	size_t order;
};

/* What the fix costs, or NULL: unknown. */
static inline const char *finding_price(const struct finding *finding)
{
	return finding->measured_price ? finding->measured_price : finding->price;
}

/* Whether a report shows the finding. all: also folded ones. */
static inline bool finding_is_shown(const struct finding *finding, bool all)
{
	return !finding->is_hidden && (all || !finding->is_folded);
}

/* What detect() found, ranked and weighed together. */
struct findings {
	struct finding *items; /* folded ones last; sorted by pass and estimate */
	size_t count, folded_count;
	int64_t folded_ns;  /* sum of the folded findings' estimates, at most the wall time */
	struct stated lost; /* what all findings save together, which is not their sum */
	struct interval *replayed;
	/* With a sample: the sampling error of what the findings save together; included in their
	 * range. */
	int64_t sample_error_ns;
};

/* What a report that was asked for some findings leaves out (selection.h). */
struct selected {
	size_t hidden_count; /* findings hidden by the selection that would be shown without it */
	struct stated lost;  /* if some are hidden: what the others save together */
};

/* Each stage is made from the ones before it, in the order of make_stages() in analysis.c. */
struct analysis {
	const struct trace *whole; /* the whole run, from which a sample may be taken */
	struct sample *sample;	   /* NULL: the whole run is observed */
	struct headline headline;
	struct failed_calls failed;
	struct observed observed; /* replays are made of it */
	struct idle *idle;	  /* why the GPU was idle */
	struct self_check check;
	struct device *devices; /* the devices that ran something: by index in model.device_ids */
	size_t device_count;
	struct findings findings;
	struct first_use_lines first_uses;
	struct not_seen_list not_seen;
	struct selected selected;
};

/* The least memory that analysis_run() needs beside the trace, in bytes. */
uint64_t analysis_least_bytes(const struct trace *trace);

/* Analyzes the trace with all detectors (detectors/). Never fails; if memory runs out, the program
 * ends. */
struct analysis *analysis_run(const struct trace *trace);

/* Like analysis_run(), with these detectors; the list ends with NULL. */
struct analysis *analysis_run_with(const struct trace *trace, const struct detector *const *with);

/* Like analysis_run(), but from a sample (sample/sample.h) if the run is long and repeats itself so
 * much that the sample's error is within 1 % of the run. */
struct analysis *analysis_run_sampled(const struct trace *trace);

void analysis_free(struct analysis *analysis);

#endif
