/*
 * An analysis: what the analyzer found in a trace, and what the renderers print. Everything belongs
 * to the analysis and lives until analysis_free(), except pointers into the trace and strings of
 * sites, which belong to the trace. The trace must outlive the analysis. One thread calls;
 * analyzing uses all processors.
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
#include "races/races.h"
#include "replay/observed.h"
#include "trace/site.h"

struct detector;
struct incident;
struct instance;
struct interval;
struct sample;
struct source_edits;
struct sources;
struct steady;

/* An instance of a finding, as it is printed. */
struct evidence_row {
	int64_t start_ns, end_ns; /* the instance's span, since headline.origin_ns */
	char *text;		  /* one line */
	/* The kernels that the text names in short, as their source spells them. NULL: none. */
	const char *kernel, *cause_kernel;
	const struct trace_call *call; /* instance_call() */
	/* The innermost NVTX range that the call was made in; NULL: none. */
	const struct trace_range *range;
};

/* Which copies of a line a finding has: all of them, or only the small or the large ones (gather.h). */
enum copy_sizes { COPIES_ALL, COPIES_SMALL, COPIES_LARGE };

/* What reports put after the line. NULL: COPIES_ALL. */
static inline const char *copy_sizes_text(enum copy_sizes copies)
{
	static const char *const texts[] = {
		[COPIES_SMALL] = "up to 64 KB", [COPIES_LARGE] = "over 64 KB"};

	return texts[copies];
}

/* A line of a finding. */
struct finding_site {
	struct site site;
	enum copy_sizes copies;
	size_t count;	    /* calls or operations there */
	int64_t blocked_ns; /* sum of their spans */
};

struct finding {
	const char *id;	   /* "pageable-copy" */
	const char *title; /* one line */
	const char *fix;   /* one or two sentences, with the call to write instead */
	/* What must be true for the fix, and what the fix costs; both without a full stop. NULL:
	 * unknown. */
	const char *relies_on, *price;
	char *measured_price; /* used instead of price: computed from this run; or NULL */
	char *assumed_fix;    /* what `fix` points to, with what the estimate assumes; or NULL */
	bool is_other_advice; /* fix and price are not the detector's own */
	bool is_of_step;      /* the fix needs steps in which the host waits for nothing */
	const char *cost;     /* what blocked_ns is called in reports: "blocked", "delayed" */
	const char *low_end;  /* why the low end can be far below the estimate (detector.h) */
	struct site site;
	enum copy_sizes copies; /* which copies of the site */
	/* All lines of the finding: several if they share a cause (detectors/cause.h). The first is
	 * `site`, which has the largest sum of spans. */
	struct finding_site *sites;
	size_t site_count;
	const char *shared; /* what the lines share: "host memory"; NULL: there is only one line */
	/* The number of the pass that found it, from 1. Pass 1 searches the trace. A later pass
	 * searches the run with the fixes of all findings so far; times and savings of its findings
	 * are of that run. If a finding of pass 1 saves time only beside other fixes, this is 2:
	 * the saving is then what it adds to these fixes, and the times stay the trace's. If a
	 * finding of a later pass comes before one of an earlier pass, the saving is what it adds
	 * to those above it; if none is above it, this is 1. */
	int pass;
	size_t count;	     /* calls or operations */
	int64_t blocked_ns;  /* sum of the spans: usually how long the host or operations waited */
	int64_t released_ns; /* what giving the same memory back took; 0 for other findings */
	struct stated lost;  /* what the fix saves, as it is shown */
	struct interval *replayed;     /* the range that lost is made of (interval_private.h) */
	struct evidence_row *evidence; /* longest first */
	size_t evidence_count;
	bool is_folded; /* too small to be listed: saves less than 0.5 % of the run, or is brief */
	bool is_bound;	/* `lost` is an upper bound, too small to be worth a replay */
	bool is_open; /* what the fix saves depends on the rate of pinned copies, which is unknown: the estimate has
			 * only what does not, and decides the finding's place */
	/* With the fixes of the findings that are listed above it the fix makes the run longer by this, and is
	 * not counted in findings.lost; 0: it does not. */
	int64_t costs_ns;
	/* For whatif_run.h: */
	const struct detector *detector; /* the detector that found it */
	struct instance *instances;	 /* what the fix changes, sorted by start */
	size_t instance_count;
	int64_t later_ns; /* the bound of what instances of later passes save; 0: there are none */
	/* Other findings whose waits hide this one's, and the reverse (joining.h): the fixes of all
	 * are made together, and `lost` is what they save then. Each keeps its own sites, count,
	 * evidence and fix, and has none joined. */
	struct finding *joined;
	size_t joined_count;
	int64_t alone_ns; /* what this one's fix saves alone; only if it is joined or has joined */
	size_t order;	  /* how many findings were found before this one */
};

/* What the fix costs. NULL: unknown. Belongs to the finding, or is static. */
static inline const char *finding_price(const struct finding *finding)
{
	return finding->measured_price ? finding->measured_price : finding->price;
}

/* Before what it saves: it adds that to the fixes of others, or saves no more than that. */
static inline const char *finding_mark(const struct finding *finding)
{
	return finding->is_bound ? "<" : finding->is_open ? "up to " : finding->pass > 1 ? "+" : "";
}

/* What the reports show first of what it saves. */
static inline int64_t finding_saved_ns(const struct finding *finding, bool has_estimates)
{
	return has_estimates && !finding->is_bound && !finding->is_open ? finding->lost.estimate_ns
									: finding->lost.high_ns;
}

/* How many findings it is made of; and each of them, itself first. */
static inline size_t finding_part_count(const struct finding *finding)
{
	return finding->joined_count + 1;
}

static inline const struct finding *finding_part(const struct finding *finding, size_t index)
{
	return index ? &finding->joined[index - 1] : finding;
}

/* How many lines it has in all its parts. */
static inline size_t finding_line_count(const struct finding *finding)
{
	size_t count = 0;

	for (size_t i = 0; i < finding_part_count(finding); i++)
		count += finding_part(finding, i)->site_count;
	return count;
}

/* What detect() found, ranked and priced. */
struct findings {
	/* Three parts: findings that save, in the order of list_order.h; findings whose fix only costs
	 * beside the others; folded findings. */
	struct finding *items;
	size_t count, folded_count;
	int64_t folded_ns; /* sum of the folded findings' estimates, at most the wall time */
	/* The saving of one replay with the fixes of all findings of the first part. It is not the
	 * sum of their savings. */
	struct stated lost;
	struct interval *replayed; /* the range that lost is made of */
	bool is_open;		   /* that of a finding among them is */
	/* The sampling error of what the findings save together, which is included in their range;
	 * 0 without a sample. */
	int64_t sample_error_ns;
};

/* What a fix saves in the order of the list (together.h). */
struct in_order {
	int64_t saved_ns; /* if the fixes of all findings above are in; -1: unknown */
	/* With this fix, calls of a finding below wait longer, by moved_ns. moves_to is the index
	 * of that finding in findings.items. Both fixes are needed, because moved_ns is more than
	 * saved_ns. moved_ns 0: no wait moves. */
	size_t moves_to;
	int64_t moved_ns;
};

/* What a report that was asked for some findings leaves out (selection.h). */
struct selected {
	bool *are_hidden;    /* by index in findings.items; NULL: none is hidden */
	size_t hidden_count; /* findings hidden by the selection that would be shown without it */
	/* What the shown findings save together. Zeros if none is hidden, or without estimates. */
	struct stated lost;
	/* "Nothing matches --site=typo (those there are ...)": if no finding is at the site; or NULL. */
	char *unmatched;
};

/* Each stage is made from the ones before it, which stay as they are: first observe_run(), then
 * add_findings() in analysis.c. selection_apply() makes `selected`. */
struct analysis {
	const struct trace *whole; /* the whole run, from which a sample may be taken */
	struct sample *sample;	   /* NULL: the whole run is observed */
	struct headline headline;
	struct failed_calls failed;
	struct observed observed; /* the run that is replayed */
	struct idle *idle;	  /* why the GPU was idle */
	struct self_check check;
	struct spread_order *spread_order; /* of its calls (spread.h) */
	struct device *devices; /* the devices that ran something: by index in model.device_ids */
	size_t device_count;
	struct findings findings;
	struct in_order *in_order; /* by index in findings.items */
	struct first_use_lines first_uses;
	struct races races; /* of the run that is replayed */
	struct not_seen_list not_seen;
	struct selected selected;
	/* NULL: not asked for. */
	struct sources *sources;    /* of sources_read() (sources.h) */
	struct source_edits *edits; /* of rewrite_findings() (rewrite/rewrite.h) */
	struct steady *steady;	    /* of steady_find() (steady.h); NULL also: no steps repeat */
	struct incident *
		incident; /* of incident_make() (incident/incident.h); NULL also: no trace of the watch mode */
};

/* Whether the fix saves nothing, not even at best. */
static inline bool analysis_is_nothing(const struct analysis *analysis,
				       const struct finding *finding)
{
	return analysis->check.has_estimates && finding->is_folded &&
	       finding->lost.estimate_ns <= 0 && finding->lost.high_ns <= 0;
}

/* Whether a report shows findings.items[index]. all: also folded ones, unless they save nothing. */
static inline bool analysis_shows(const struct analysis *analysis, size_t index, bool all)
{
	const bool *are_hidden = analysis->selected.are_hidden;

	return !(are_hidden && are_hidden[index]) &&
	       (all ? !analysis_is_nothing(analysis, &analysis->findings.items[index])
		    : !analysis->findings.items[index].is_folded);
}

/* The least memory in bytes that analysis_run() needs, without the trace's own. */
uint64_t analysis_least_bytes(const struct trace *trace);

/* Analyzes the trace with all detectors (detectors/). Never fails; if memory runs out, the program
 * ends. Free the result by analysis_free(). */
struct analysis *analysis_run(const struct trace *trace);

/* Like analysis_run(), with these detectors; the list ends with NULL. */
struct analysis *analysis_run_with(const struct trace *trace, const struct detector *const *with);

/* Like analysis_run(), but from a sample (sample/sample.h) if the run is long and repeats itself so
 * much that the sample's error is within 1 % of the run. */
struct analysis *analysis_run_sampled(const struct trace *trace);

/* Frees the analysis with everything that belongs to it, not the trace. */
void analysis_free(struct analysis *analysis);

#endif
