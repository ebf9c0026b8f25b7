#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "render/devices.h"
#include "render/engines.h"
#include "render/first_uses.h"
#include "render/idle.h"
#include "render/page.h"
#include "render/render.h"
#include "trace/short_name.h"

#include <stdlib.h>
#include <string.h>

#define EVIDENCE_ROWS 3

/* Below this share of the run what tracing added is not worth a word. */
#define UNTRACED_SHARE 0.005

/* "about 720 ms untraced (range 690..750 ms), 1.09 s traced", or the time alone; malloc'ed. */
static char *describe_wall_time(const struct analysis *analysis)
{
	int64_t untraced_ns = analysis->untraced_ns, doubt_ns = analysis->untraced_doubt_ns;
	struct format traced, untraced, range;

	format_time(&traced, analysis->wall_ns);
	if (!analysis->has_untraced ||
	    (double)(analysis->wall_ns - untraced_ns) < UNTRACED_SHARE * (double)analysis->wall_ns)
		return memory_format("%s", traced.text);
	format_time(&untraced, untraced_ns);
	if (!analysis->has_untraced_cupti)
		return memory_format("less than %s untraced, %s traced", untraced.text,
				     traced.text);
	return memory_format("about %s untraced (range %s), %s traced", untraced.text,
			     format_time_range(&range, max_ns(untraced_ns - doubt_ns, 0),
					       min_ns(untraced_ns + doubt_ns, analysis->wall_ns)),
			     traced.text);
}

static void print_wall_time(const struct page *page, const struct trace *trace,
			    const struct analysis *analysis)
{
	struct format lead, calls, operations;
	char *time = describe_wall_time(analysis);

	format_count(&calls, trace->call_count);
	format_count(&operations, trace->operation_count);
	if (trace->window_count)
		print_formatted(page, "wall time", FIELD_INDENT,
				"%s, recorded in %zu window%s: %s calls, %s GPU operations", time,
				trace->window_count, trace->window_count == 1 ? "" : "s",
				calls.text, operations.text);
	else if (analysis->lead_ns)
		print_formatted(page, "wall time", FIELD_INDENT,
				"%s (first GPU operation after %s): %s calls, %s GPU operations",
				time, format_time(&lead, analysis->lead_ns), calls.text,
				operations.text);
	else
		print_formatted(page, "wall time", FIELD_INDENT, "%s: %s calls, %s GPU operations",
				time, calls.text, operations.text);
	free(time);
}

/* "all 3 later calls failed"; malloc'ed. */
static char *describe_later_failures(const struct failed_calls *failed)
{
	struct format count, all;

	format_count(&all, failed->calls_since - 1);
	if (failed->count == 1)
		return memory_format("no later call failed");
	if (failed->count == failed->calls_since)
		return memory_format("so did all %s later calls", all.text);
	return memory_format("so did %s of %s later calls", format_count(&count, failed->count - 1),
			     all.text);
}

static void print_failures(const struct page *page, const struct trace *trace,
			   const struct analysis *analysis)
{
	const struct trace_call *first = analysis->failed.first;
	char *where, *name, *later;
	struct format start;
	struct site site;

	if (!first)
		return;
	site = site_describe(trace, first->form->site, NULL);
	where = render_site(trace, &site);
	name = failures_name(first);
	later = describe_later_failures(&analysis->failed);
	print_formatted(page, "failed", FIELD_INDENT, "%s at %s after %s with %s (%d)%s; %s",
			first->form->function->name, where,
			format_time(&start, first->start_ns - analysis->origin_ns), name,
			first->form->result,
			failures_is_of_device(first) ? ", caused by earlier GPU work" : "", later);
	free(later);
	free(name);
	free(where);
}

static void print_identity(const struct page *page, const struct trace *trace,
			   const struct analysis *analysis)
{
	const char *program = trace_metadata(trace, "program");
	char *devices = render_devices(trace);

	print_wrapped(page, "trace", FIELD_INDENT, trace->path);
	print_wrapped(page, "program", FIELD_INDENT, program ? program : "unknown");
	print_wrapped(page, "device", FIELD_INDENT, devices ? devices : "unknown");
	print_wall_time(page, trace, analysis);
	print_failures(page, trace, analysis);
	free(devices);
}

/* What the findings that are shown save together is another time than their sum. */
static const char *compare_with_sum(const struct analysis *analysis)
{
	int64_t sum_ns = 0;
	size_t i;

	for (i = 0; i < analysis->finding_count; i++)
		if (!analysis->findings[i].is_folded)
			sum_ns += analysis->findings[i].lost.estimate_ns;
	if (sum_ns > analysis->lost.estimate_ns + analysis->lost.estimate_ns / 100)
		return "; less than the findings' sum: the savings overlap";
	if (analysis->has_estimates &&
	    sum_ns < analysis->lost.estimate_ns - analysis->lost.estimate_ns / 100)
		return "; more than the findings' sum: some waits hide others";
	return "";
}

/* "363 ms (20.1 %, range 350..364 ms)"; malloc'ed. */
static char *describe_interval(const struct analysis *analysis, const struct interval *lost)
{
	struct format estimate, percent, low, high, range;

	format_time(&high, lost->high_ns);
	format_percent(&percent, analysis->has_estimates ? lost->estimate_ns : lost->high_ns,
		       analysis->untraced_ns);
	if (!analysis->has_estimates)
		return memory_format("at most %s (%s)", high.text, percent.text);
	format_time(&estimate, lost->estimate_ns);
	format_time(&low, lost->low_ns);
	if (!strcmp(low.text, estimate.text) && !strcmp(high.text, estimate.text))
		return memory_format("%s (%s)", estimate.text, percent.text);
	return memory_format("%s (%s, range %s)", estimate.text, percent.text,
			     format_time_range(&range, lost->low_ns, lost->high_ns));
}

static void print_answer(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis)
{
	char *interval;

	if (trace->operation_count == 0) {
		print_heading(
			page,
			analysis->failed.first
				? "Lost overlap: unknown. CUDA calls failed, and the trace has "
				  "no GPU operations."
				: "Lost overlap: unknown. The trace has no GPU operations.");
		return;
	}
	if (analysis->lost.estimate_ns <= 0) {
		print_idle_answer(page, analysis);
		return;
	}
	fputc('\n', page->out);
	interval = describe_interval(analysis, &analysis->lost);
	print_formatted(page, NULL, 0, "Lost overlap: %s%s", interval, compare_with_sum(analysis));
	free(interval);
}

static void print_evidence(const struct page *page, const struct finding *finding)
{
	struct format start, duration;
	char *lead;
	size_t i;

	for (i = 0; i < finding->evidence_count && i < EVIDENCE_ROWS; i++) {
		const struct evidence_row *row = &finding->evidence[i];

		lead = memory_format("    at %-7s for %-7s  ", format_time(&start, row->start_ns),
				     format_time(&duration, row->end_ns - row->start_ns));
		print_wrapped(page, lead, (int)strlen(lead), row->text);
		free(lead);
	}
}

/* What the list says beside what the fix saves alone. */
static void print_order(const struct page *page, const struct analysis *analysis,
			const struct finding *finding)
{
	int64_t other_ns = finding->in_order_ns - finding->lost.estimate_ns;
	struct format time;

	if (finding->pass == 1 && finding->in_order_ns >= 0 &&
	    llabs(other_ns) > analysis->wall_ns / 200)
		print_formatted(page, NULL, 4, "With the fixes above applied it saves %s.",
				format_time(&time, finding->in_order_ns));
	if (finding->moved_ns)
		print_formatted(page, NULL, 4, "Fix together with %zu: %s of the wait moves there.",
				finding->moves_to + 1, format_time(&time, finding->moved_ns));
}

static void print_cost(const struct page *page, const struct analysis *analysis,
		       const struct finding *finding)
{
	char *interval = describe_interval(analysis, &finding->lost);
	struct format blocked, count;

	print_formatted(page, NULL, 4, "%s %s: %s time%s, %s %s",
			finding->pass > 1 ? "saves a further" : "saves", interval,
			format_count(&count, finding->count), finding->count == 1 ? "" : "s",
			format_time(&blocked, finding->blocked_ns), finding->cost);
	if (finding->pass > 1)
		print_wrapped(page, NULL, 4, "Limits the run once the fixes above are applied.");
	print_order(page, analysis, finding);
	free(interval);
}

/* The number of the finding above that has the same fix; 0: none has. */
static size_t find_same_fix(const struct analysis *analysis, size_t number)
{
	for (size_t i = 1; i < number; i++)
		if (!strcmp(analysis->findings[i - 1].fix, analysis->findings[number - 1].fix))
			return i;
	return 0;
}

/* Unless the finding above says the same. */
static void print_unless_same(const struct page *page, const char *lead, const char *text,
			      const char *above)
{
	if (text && !(above && !strcmp(text, above)))
		print_formatted(page, lead, (int)strlen(lead), "%s.", text);
}

static void print_fix(const struct page *page, const struct analysis *analysis, size_t number)
{
	const struct finding *finding = &analysis->findings[number - 1];
	size_t same = find_same_fix(analysis, number);
	const struct finding *above = same ? &analysis->findings[same - 1] : NULL;

	if (above)
		print_formatted(page, "    fix: ", 9, "as for %zu.", same);
	else
		print_wrapped(page, "    fix: ", 9, finding->fix);
	print_unless_same(page, "    needs: ", finding->relies_on, above ? above->relies_on : NULL);
	print_unless_same(page, "    price: ", finding_price(finding),
			  above ? finding_price(above) : NULL);
}

static void print_finding(const struct page *page, const struct trace *trace,
			  const struct analysis *analysis, size_t number)
{
	const struct finding *finding = &analysis->findings[number - 1];
	struct short_name name;
	const char *function = render_function(&finding->site, &name);
	char lead[24], *site = render_site(trace, &finding->site);
	char *through = render_through(&finding->site);

	snprintf(lead, sizeof(lead), "%zu.", number);
	fputc('\n', page->out);
	print_formatted(page, lead, 4, "%s: %s", finding->id, finding->title);
	print_formatted(page, NULL, 4, "%s%s%s%s%s", site, function ? " in " : "",
			function ? function : "", through ? " through " : "",
			through ? through : "");
	print_cost(page, analysis, finding);
	if (finding->count > 1 && finding->evidence_count)
		print_wrapped(page, NULL, 4,
			      "longest (at: since the first call or GPU operation):");
	print_evidence(page, finding);
	print_fix(page, analysis, number);
	free(site);
	free(through);
}

static void print_findings(const struct page *page, const struct trace *trace,
			   const struct analysis *analysis, bool all)
{
	struct format time;

	for (size_t i = 0; i < analysis->finding_count; i++)
		if (all || !analysis->findings[i].is_folded)
			print_finding(page, trace, analysis, i + 1);
	if (analysis->folded_count > 0 && !all) {
		fputc('\n', page->out);
		print_formatted(page, NULL, 0, "%zu smaller finding%s (%s%s): shown with --all.",
				analysis->folded_count, analysis->folded_count == 1 ? "" : "s",
				format_time(&time, analysis->folded_lost_ns),
				analysis->folded_count == 1 ? "" : " in all");
	}
	if (analysis->finding_count == (all ? 0 : analysis->folded_count))
		return;
	print_heading(
		page,
		analysis->has_estimates
			? "Estimates replay the trace with the fix applied. Low: every uncertain "
			  "dependency is kept. High: all are dropped, as far as the busiest engine "
			  "and the host's own work allow."
			: "Figures are upper bounds: the time of the waits, as far as the busiest "
			  "engine and the host's own work allow.");
}

/* Where there are several, for one is the run. */
static void print_device_checks(const struct page *page, const struct analysis *analysis)
{
	struct format replayed, measured, error;

	for (size_t i = 0; analysis->device_count > 1 && i < analysis->device_count; i++) {
		const struct device *check = &analysis->devices[i];
		int64_t error_ns = llabs(check->replayed_ns - check->measured_ns);

		print_formatted(page, NULL, 0,
				"Device %u: replay %s (measured %s, error %s), from its first "
				"operation to its last",
				check->id, format_time(&replayed, check->replayed_ns),
				format_time(&measured, check->measured_ns),
				format_percent(&error, error_ns, check->measured_ns));
	}
}

static void print_self_check(const struct page *page, const struct trace *trace,
			     const struct analysis *analysis)
{
	int64_t error_ns = llabs(analysis->replayed_ns - analysis->wall_ns);
	struct format replayed, measured, error;

	fputc('\n', page->out);
	if (analysis->replayed_ns < 0) {
		print_wrapped(page, NULL, 0,
			      "Self-check failed: the trace cannot be replayed, the order of its "
			      "events is contradictory. No estimates.");
		return;
	}
	print_formatted(page, NULL, 0,
			"Self-check%s: replay without fixes%s %s (measured %s, error %s).%s",
			analysis->has_estimates ? "" : " failed",
			trace->window_count > 1 ? ", each window by itself," : "",
			format_time(&replayed, analysis->replayed_ns),
			format_time(&measured, analysis->wall_ns),
			format_percent(&error, error_ns, analysis->wall_ns),
			analysis->has_estimates ? "" : " No estimates.");
	print_device_checks(page, analysis);
}

static void print_not_seen(const struct page *page, const struct analysis *analysis)
{
	if (analysis->not_seen_count)
		print_heading(page, "Limitations of this trace:");
	for (size_t i = 0; i < analysis->not_seen_count; i++)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s: %s", analysis->not_seen[i].what,
				analysis->not_seen[i].why);
}

bool render_text(FILE *out, const struct trace *trace, const struct analysis *analysis, bool all)
{
	struct page page = page_open(out);
	bool ok = true;

	print_identity(&page, trace, analysis);
	fputc('\n', out);
	if (trace->call_count == 0 && trace->operation_count == 0 && !trace->untimed_operations) {
		fputs("No CUDA call was traced.\n", out);
	} else {
		if (trace->operation_count) {
			ok = analysis->device_count > 1 ? print_devices(&page, analysis)
							: print_engines(&page, analysis);
			print_idle(&page, trace, analysis);
		}
		print_answer(&page, trace, analysis);
		print_findings(&page, trace, analysis, all);
		print_first_uses(&page, trace, analysis);
		if (trace->operation_count)
			print_self_check(&page, trace, analysis);
	}
	print_not_seen(&page, analysis);
	return ok;
}
