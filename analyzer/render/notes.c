#include "render/notes.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "findings/watch_costs.h"
#include "render/figures.h"
#include "render/finding_table.h"
#include "render/render.h"
#include "trace/site.h"

#include <stdlib.h>

static void print_source(const struct page *page, const struct trace *trace,
			 const struct analysis *analysis)
{
	const char *program = trace_metadata(trace, "program");
	struct format calls, operations, lead;

	print_formatted(
		page, ITEM_LEAD, ITEM_INDENT, "Trace: %s of %s, %s calls, %s GPU operations%s%s%s",
		trace->path, program ? program : "an unknown program",
		format_count(&calls, trace->call_count),
		format_count(&operations, trace->operation_count),
		analysis->headline.lead_ns && !trace->window_count ? " (the first after " : "",
		analysis->headline.lead_ns && !trace->window_count
			? format_time(&lead, analysis->headline.lead_ns)
			: "",
		analysis->headline.lead_ns && !trace->window_count ? ")" : "");
}

static void print_untraced(const struct page *page, const struct analysis *analysis)
{
	int64_t untraced_ns = analysis->check.untraced_ns,
		doubt_ns = analysis->check.untraced_doubt_ns;
	struct format traced, untraced, range;

	if (!figures_has_untraced(analysis))
		return;
	format_time(&traced, analysis->headline.wall_ns);
	format_time(&untraced, untraced_ns);
	if (analysis->check.has_untraced_cupti)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT,
				"Times: %s as traced, about %s untraced (range %s). Savings and "
				"their shares are of the untraced run, other times as traced.",
				traced.text, untraced.text,
				format_time_range(&range, max_ns(untraced_ns - doubt_ns, 0),
						  min_ns(untraced_ns + doubt_ns,
							 analysis->headline.wall_ns)));
	else
		print_formatted(page, ITEM_LEAD, ITEM_INDENT,
				"Times: %s as traced, of which the tracer took about %s, CUPTI as "
				"much of a launch as on other machines: streamtrace run and "
				"streamtrace report measure it on the GPU of the run. Savings and "
				"their shares are of the run without that, other times as traced.",
				traced.text,
				format_time(&untraced, analysis->headline.wall_ns - untraced_ns));
}

static void print_watch_costs(const struct page *page, const struct trace *trace,
			      const struct analysis *analysis)
{
	struct watch_cost costs[WATCH_COSTS];
	const size_t count = watch_costs_find(trace, costs);
	struct format copies, time, share;

	for (size_t i = 0; i < count; i++)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT,
				"--%s watched %s cop%s: %s in protecting pages and faults (%s of "
				"the run).",
				costs[i].option, format_count(&copies, costs[i].copies),
				costs[i].copies == 1 ? "y" : "ies", format_time(&time, costs[i].ns),
				format_percent(&share, costs[i].ns, analysis->headline.wall_ns));
}

static const char *first_id(const struct analysis *analysis, bool all)
{
	size_t i = 0;

	while (!analysis_shows(analysis, i, all))
		i++;
	return analysis->findings.items[i].id;
}

/* Of a report with a finding. */
static void print_meaning(const struct page *page, const struct analysis *analysis, bool all)
{
	if (all || !analysis->check.has_estimates)
		print_wrapped(
			page, ITEM_LEAD, ITEM_INDENT,
			analysis->check.has_estimates
				? "Estimates replay the trace with the fix applied. Low: every "
				  "uncertain dependency is kept. High: all are dropped, as far as "
				  "the busiest engine and the host's own work allow. Both ends are "
				  "widened by the error measured on other programs."
				: "Figures are upper bounds: the time of the waits, as far as the "
				  "busiest engine and the host's own work allow.");
	if (all)
		print_wrapped(page, ITEM_LEAD, ITEM_INDENT,
			      "Times behind \"at\" count from the first call or GPU operation.");
	print_formatted(page, ITEM_LEAD, ITEM_INDENT,
			"What a finding is, and how to fix it: streamtrace explain %s.%s",
			first_id(analysis, all), all ? "" : " More notes: --all.");
}

/* Where there are several, for one is the run. */
static void print_device_checks(const struct page *page, const struct analysis *analysis)
{
	struct format replayed, measured, error;

	for (size_t i = 0; analysis->device_count > 1 && i < analysis->device_count; i++) {
		const struct device_check *check = &analysis->check.devices[i];
		int64_t error_ns = llabs(check->replayed_ns - check->measured_ns);

		print_formatted(page, NULL, ITEM_INDENT,
				"Device %u: replay %s (measured %s, error %s), from its first "
				"operation to its last",
				analysis->devices[i].id, format_time(&replayed, check->replayed_ns),
				format_time(&measured, check->measured_ns),
				format_percent(&error, error_ns, check->measured_ns));
	}
}

static void print_self_check(const struct page *page, const struct trace *trace,
			     const struct analysis *analysis)
{
	int64_t error_ns = llabs(analysis->check.replayed_ns - analysis->headline.wall_ns);
	struct format replayed, measured, error;

	if (analysis->check.replayed_ns < 0) {
		print_wrapped(page, ITEM_LEAD, ITEM_INDENT,
			      "Self-check failed: the trace cannot be replayed, the order of its "
			      "events is contradictory. No estimates.");
		return;
	}
	print_formatted(page, ITEM_LEAD, ITEM_INDENT,
			"Self-check%s: replay without fixes%s %s (measured %s, error %s).%s",
			analysis->check.has_estimates ? "" : " failed",
			trace->window_count > 1 ? ", each window by itself," : "",
			format_time(&replayed, analysis->check.replayed_ns),
			format_time(&measured, analysis->headline.wall_ns),
			format_percent(&error, error_ns, analysis->headline.wall_ns),
			analysis->check.has_estimates ? "" : " No estimates.");
	print_device_checks(page, analysis);
}

static void print_not_seen(const struct page *page, const struct analysis *analysis)
{
	if (analysis->not_seen.count)
		print_heading(page, "Limitations of this trace:");
	for (size_t i = 0; i < analysis->not_seen.count; i++)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s: %s",
				analysis->not_seen.items[i].what, analysis->not_seen.items[i].why);
}

void print_notes(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all)
{
	print_heading(page, "Notes:");
	print_source(page, trace, analysis);
	if (all) {
		print_untraced(page, analysis);
		print_watch_costs(page, trace, analysis);
	}
	if (finding_table_count(analysis, all))
		print_meaning(page, analysis, all);
	if (trace->operation_count && (all || !analysis->check.has_estimates))
		print_self_check(page, trace, analysis);
	print_not_seen(page, analysis);
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

char *notes_failure(const struct trace *trace, const struct analysis *analysis)
{
	const struct trace_call *first = analysis->failed.first;
	char *where, *name, *later, *text;
	struct format start;
	struct site site;

	if (!first)
		return NULL;
	site = site_describe(trace, first->form->site, NULL);
	where = render_site(trace, &site);
	name = failures_name(first);
	later = describe_later_failures(&analysis->failed);
	text = memory_format(
		"%s at %s after %s with %s (%d)%s; %s", first->form->function->name, where,
		format_time(&start, first->start_ns - analysis->headline.origin_ns), name,
		first->form->result,
		failures_is_of_device(first) ? ", caused by earlier GPU work" : "", later);
	free(later);
	free(name);
	free(where);
	return text;
}
