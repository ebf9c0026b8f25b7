#include "render/figures.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "findings/steady.h"
#include "render/render.h"
#include "sample/sample.h"
#include "trace/texts.h"

#include <stdlib.h>
#include <string.h>

/* Below this share of the run what tracing added is not worth a word, or not one at the top. */
#define UNTRACED_SHARE	   0.005
#define UNTRACED_SHARE_TOP 0.02

char *figures_program(const struct trace *trace)
{
	char *program = trace_text_program(trace);

	return program ? program : memory_format("unknown program");
}

char *figures_process(const struct trace *trace)
{
	const char *id = trace_metadata(trace, "process_id"), *rank = trace_metadata(trace, "rank");
	char *program = figures_program(trace);
	char *text = memory_format("%s%s%s%s %s", rank ? "rank " : "", rank ? rank : "",
				   rank ? ": " : "", program, id ? id : "?");

	free(program);
	return text;
}

static bool adds_share(const struct analysis *analysis, double share)
{
	return analysis->check.has_untraced &&
	       (double)(analysis->headline.wall_ns - analysis->check.untraced_ns) >=
		       share * (double)analysis->headline.wall_ns;
}

bool figures_has_untraced(const struct analysis *analysis)
{
	return adds_share(analysis, UNTRACED_SHARE);
}

char *figures_recorded(const struct trace *trace, const struct analysis *analysis)
{
	char *windows = trace->window_count > 1
				? memory_format(" in %zu windows", trace->window_count)
				: memory_format("%s", trace->window_count ? " in 1 window" : "");
	struct format recorded, untraced;
	char *text;

	format_time(&recorded, analysis->headline.wall_ns);
	format_time(&untraced, analysis->check.untraced_ns);
	text = adds_share(analysis, UNTRACED_SHARE_TOP)
		       ? memory_format("%s recorded%s, %s %s untraced", recorded.text, windows,
				       analysis->check.has_untraced_cupti ? "about" : "less than",
				       untraced.text)
		       : memory_format("%s recorded%s", recorded.text, windows);
	free(windows);
	return text;
}

char *figures_sample(const struct analysis *analysis)
{
	struct format error;
	char *unsure, *text;

	if (!analysis->sample)
		return NULL;
	unsure = analysis->findings.sample_error_ns
			 ? memory_format("within %s",
					 format_time(&error, analysis->findings.sample_error_ns))
			 : memory_format("which are alike");
	text = memory_format("Estimated from %zu of %zu slices (%s); --exact uses all.",
			     sample_taken(analysis->sample), sample_slices(analysis->sample),
			     unsure);
	free(unsure);
	return text;
}

/* What begins them: "NVTX range "step"", "each begins at train.py:12"; malloc'ed. */
static char *describe_begin(const struct trace *trace, const struct steady *steady)
{
	char *site, *text;

	if (steady->steps.range)
		return memory_format("NVTX range \"%s\"", steady->steps.range);
	site = render_site(trace, &steady->site);
	text = memory_format("each begins at %s", site);
	free(site);
	return text;
}

char *figures_steps(const struct trace *trace, const struct analysis *analysis)
{
	const struct steady *steady = analysis->steady;
	struct format count, median, saved, idle, startup;
	char saving[64] = "", *begin, *text;
	bool is_open = analysis->findings.is_open;
	struct stated all;
	int64_t saved_ns;

	if (!steady)
		return NULL;
	all = steady_saving_of_all(analysis);
	saved_ns = is_open ? all.high_ns : all.estimate_ns;
	if (analysis->check.has_estimates && saved_ns > 0)
		snprintf(saving, sizeof(saving), "%s%s a step can be won back, ",
			 is_open ? "up to " : "", format_time(&saved, saved_ns));
	begin = describe_begin(trace, steady);
	text = memory_format(
		"%s steps of %s (median; %s): %sGPU idle %s a step.%s%s%s",
		format_count(&count, steady->steps.count), format_time(&median, steady->median_ns),
		begin, saving, format_time(&idle, steady->idle_ns),
		steady->startup_ns > 0 ? " Start-up " : "",
		steady->startup_ns > 0 ? format_time(&startup, steady->startup_ns) : "",
		steady->startup_ns > 0 ? ", once." : "");
	free(begin);
	return text;
}

char *figures_step_saving(const struct analysis *analysis, const struct finding *finding)
{
	struct stated saving;
	struct format time;

	if (!analysis->steady || !analysis->check.has_estimates)
		return NULL;
	saving = steady_saving(analysis, finding);
	if (saving.high_ns <= 0)
		return memory_format("none in the steps");
	return memory_format("%s a step", format_time(&time, finding->is_bound || finding->is_open
								     ? saving.high_ns
								     : saving.estimate_ns));
}

char *figures_self_check(const struct trace *trace, const struct analysis *analysis)
{
	struct format error;

	if (!trace->operation_count)
		return NULL;
	if (analysis->check.replayed_ns < 0 || !analysis->check.has_estimates)
		return memory_format("self-check failed");
	return memory_format("replay error %s", format_percent(&error,
							       llabs(analysis->check.replayed_ns -
								     analysis->headline.wall_ns),
							       analysis->headline.wall_ns));
}

/* "363 ms (20.1 %)", "at most 350 ms (35.0 %)", of one that is open "up to 350 ms (35.0 %)". */
static char *saving_of(const struct analysis *analysis, const struct stated *lost, bool is_open)
{
	bool has_estimate = analysis->check.has_estimates && !is_open;
	int64_t ns = has_estimate ? lost->estimate_ns : lost->high_ns;
	struct format time, percent;

	return memory_format("%s%s (%s)",
			     has_estimate		     ? ""
			     : analysis->check.has_estimates ? "up to "
							     : "at most ",
			     format_time(&time, ns),
			     format_percent(&percent, ns, analysis->check.untraced_ns));
}

char *figures_range(const struct analysis *analysis, const struct stated *lost)
{
	struct format estimate, low, high, range;

	format_time(&estimate, lost->estimate_ns);
	format_time(&low, lost->low_ns);
	format_time(&high, lost->high_ns);
	if (!analysis->check.has_estimates ||
	    (!strcmp(low.text, estimate.text) && !strcmp(high.text, estimate.text)))
		return NULL;
	return memory_format("%s", format_time_range(&range, lost->low_ns, lost->high_ns));
}

char *figures_interval(const struct analysis *analysis, const struct stated *lost)
{
	char *saving = saving_of(analysis, lost, false), *range = figures_range(analysis, lost);
	/* The range goes into the brackets. */
	char *text =
		range ? memory_format("%.*s, range %s)", (int)strlen(saving) - 1, saving, range)
		      : memory_format("%s", saving);

	free(range);
	free(saving);
	return text;
}

int64_t figures_won_back_ns(const struct analysis *analysis)
{
	return analysis->findings.is_open ? analysis->findings.lost.high_ns
					  : analysis->findings.lost.estimate_ns;
}

char *figures_answer(const struct trace *trace, const struct analysis *analysis)
{
	char *saving, *text;

	if (!trace->operation_count)
		return memory_format("%s", analysis->failed.first
						   ? "lost overlap unknown: CUDA calls failed, and "
						     "the trace has no GPU operations"
						   : "lost overlap unknown: the trace has "
						     "no GPU operations");
	if (figures_won_back_ns(analysis) <= 0)
		return memory_format("no lost overlap found");
	saving = saving_of(analysis, &analysis->findings.lost, analysis->findings.is_open);
	text = memory_format("%s can be won back by overlap", saving);
	free(saving);
	return text;
}
