/* A summary of a trace's analysis. */
#include "base/minmax.h"
#include "findings/idle.h"
#include "job/arrivals_make.h"
#include "job/paths_make.h"
#include "job/summary.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct making {
	struct summary *summary;
	const struct trace *trace;
	const struct analysis *analysis;
};

static const char *keep_text(struct making *making, const char *text)
{
	return text ? arena_text(&making->summary->texts, text) : NULL;
}

/* Frees the text. */
static const char *keep_made(struct making *making, char *text)
{
	const char *kept = keep_text(making, text);

	free(text);
	return kept;
}

static const char *fact_text(struct making *making, const char *key)
{
	return keep_text(making, trace_metadata(making->trace, key));
}

static int64_t fact_number(const struct making *making, const char *key, int64_t absent)
{
	const char *text = trace_metadata(making->trace, key);
	char *end;
	long long value;

	if (!text)
		return absent;
	errno = 0;
	value = strtoll(text, &end, 10);
	return errno || end == text || *end || value < 0 ? absent : value;
}

static int64_t small_number(const struct making *making, const char *key, int64_t absent)
{
	int64_t value = fact_number(making, key, absent);

	return value > INT32_MAX ? absent : value;
}

static void make_facts(struct making *making)
{
	struct summary *summary = making->summary;
	const struct analysis *analysis = making->analysis;

	summary->trace = keep_text(making, making->trace->path);
	summary->program = keep_made(making, trace_text_program(making->trace));
	summary->host = fact_text(making, "host");
	summary->run = fact_text(making, "run");
	summary->boot_id = fact_text(making, "boot_id");
	summary->traced_by = fact_text(making, "traced_by");
	summary->process_id = small_number(making, "process_id", -1);
	summary->rank = small_number(making, "rank", SUMMARY_NO_RANK);
	summary->local_rank = small_number(making, "local_rank", SUMMARY_NO_RANK);
	summary->ranks = small_number(making, "ranks", 0);
	summary->start_ns = fact_number(making, "start_ns", 0);
	summary->end_ns = fact_number(making, "end_ns", 0);
	summary->first_ns = analysis->headline.origin_ns;
	summary->last_ns = analysis->headline.origin_ns + analysis->headline.wall_ns;
	summary->call_count = analysis->whole->call_count;
	summary->operation_count =
		analysis->whole->operation_count + analysis->whole->untimed_operations;
	summary->wall_ns = analysis->headline.wall_ns;
	summary->untraced_ns = analysis->check.untraced_ns;
	summary->replayed_ns = analysis->check.replayed_ns;
	summary->has_untraced = analysis->check.has_untraced;
	summary->has_untraced_cupti = analysis->check.has_untraced_cupti;
	summary->has_estimates = analysis->check.has_estimates;
	summary->is_sample = analysis->sample != NULL;
	summary->lost = analysis->findings.lost;
}

/* NULL: not known. */
static void add_causes(struct summary_load *load, const struct idle_table *table)
{
	for (int i = 0; table && i < IDLE_CAUSE_COUNT; i++)
		load->idle_by_cause_ns[i] = table->rows[i].ns;
}

static const struct idle_table *idle_of(const struct idle *idle, uint32_t device_id)
{
	for (size_t i = 0; idle && i < idle->device_count; i++)
		if (idle->devices[i].device_id == device_id)
			return &idle->devices[i];
	return idle ? &idle->all : NULL;
}

static void make_loads(struct making *making)
{
	struct summary *summary = making->summary;
	const struct analysis *analysis = making->analysis;
	size_t count =
		analysis->device_count < SUMMARY_DEVICES ? analysis->device_count : SUMMARY_DEVICES;

	memcpy(summary->load.busy_ns, analysis->headline.busy_ns, sizeof(summary->load.busy_ns));
	summary->load.idle_ns = analysis->headline.idle_ns;
	summary->load.overlapped_ns = analysis->headline.overlapped_ns;
	add_causes(&summary->load, analysis->idle ? &analysis->idle->all : NULL);
	summary->devices = memory_array(count ? count : 1, sizeof(*summary->devices));
	summary->device_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct device *from = &analysis->devices[i];
		struct summary_device *to = &summary->devices[i];

		to->id = from->id;
		to->name = keep_text(making, from->name);
		to->wall_ns = making->analysis->check.devices[i].measured_ns;
		to->lost = from->lost;
		memcpy(to->load.busy_ns, from->load.busy_ns, sizeof(to->load.busy_ns));
		to->load.idle_ns = from->load.idle_ns;
		to->load.overlapped_ns = from->load.overlapped_ns;
		add_causes(&to->load, idle_of(analysis->idle, from->id));
	}
}

/* Of the GPUs that ran something; a process may see others. */
static void make_gpu(struct making *making)
{
	struct summary *summary = making->summary;
	const char *first = summary->device_count ? summary->devices[0].name : NULL;

	for (size_t i = 0; first && i < summary->device_count; i++)
		if (!summary->devices[i].name || strcmp(summary->devices[i].name, first) != 0)
			first = NULL;
	if (!first)
		summary->gpu = keep_made(making, trace_text_devices(making->trace));
	else if (summary->device_count == 1)
		summary->gpu = first;
	else
		summary->gpu =
			keep_made(making, memory_format("%zu x %s", summary->device_count, first));
}

/* Savings that the report does not estimate are at most the high end. */
static struct stated saving_of(const struct making *making, const struct finding *finding)
{
	struct stated lost = finding->lost;

	if (!making->analysis->check.has_estimates)
		lost.low_ns = lost.estimate_ns = 0;
	lost.low_ns = max_ns(lost.low_ns, 0);
	lost.estimate_ns = max_ns(lost.estimate_ns, 0);
	lost.high_ns = max_ns(lost.high_ns, 0);
	return lost;
}

/* The finding's line for the job: of several the first in the source. Processes are compared by line, and
 * differ in which line lost most time. */
static const struct finding_site *line_of(const struct finding *finding)
{
	const struct finding_site *first = finding->sites;

	for (size_t i = 1; i < finding->site_count; i++)
		if (site_compare(&finding->sites[i].site, &first->site) < 0)
			first = &finding->sites[i];
	return first;
}

/* The line's name; malloc'ed. Small copies that are a finding of their own have another name, so that a
 * process that makes only the large ones has those in one group with the other processes' large ones. */
static char *name_line(const struct trace *trace, const struct finding_site *line)
{
	char *site = trace_text_site(trace, &line->site), *name;

	if (line->copies != COPIES_SMALL)
		return site;
	name = memory_format("%s (%s)", site, copy_sizes_text(line->copies));
	free(site);
	return name;
}

/* The function's name where the line's has it not. */
static const char *function_behind(const struct trace *trace, const struct site *site,
				   struct short_name *name)
{
	if (trace_text_site_has_function(trace, site))
		return NULL;
	return site->function && !site->is_python
		       ? short_name(name, site->function, SHORT_NAME_FUNCTION)
		       : site->function;
}

static struct summary_finding make_finding(struct making *making, size_t index)
{
	const struct finding *finding = &making->analysis->findings.items[index];
	const struct finding_site *line = line_of(finding);
	const struct site *site = &line->site;
	struct short_name name;

	return (struct summary_finding){
		.id = keep_text(making, finding->id),
		.title = keep_text(making, finding->title),
		.fix = keep_text(making, finding->fix),
		.relies_on = keep_text(making, finding->relies_on),
		.price = keep_text(making, finding_price(finding)),
		.cost = keep_text(making, finding->cost),
		.where = keep_made(making, name_line(making->trace, line)),
		.function = keep_text(making, function_behind(making->trace, site, &name)),
		.evidence = keep_text(making,
				      finding->evidence_count ? finding->evidence[0].text : NULL),
		.number = (uint32_t)index + 1,
		.pass = (uint32_t)(finding->pass > 0 ? finding->pass : 1),
		.count = finding->count,
		.blocked_ns = max_ns(finding->blocked_ns, 0),
		.lost = saving_of(making, finding),
		.is_folded = finding->is_folded,
		.is_bound = finding->is_bound,
		.costs_ns = max_ns(finding->costs_ns, 0),
	};
}

static void make_findings(struct making *making)
{
	struct summary *summary = making->summary;
	size_t count = making->analysis->findings.count;

	summary->finding_count = count < SUMMARY_FINDINGS ? count : SUMMARY_FINDINGS;
	summary->findings = memory_array(summary->finding_count ? summary->finding_count : 1,
					 sizeof(*summary->findings));
	for (size_t i = 0; i < summary->finding_count; i++)
		summary->findings[i] = make_finding(making, i);
}

static int compare_idle_lines(const void *left, const void *right)
{
	const struct summary_idle_line *a = left, *b = right;
	int order = (a->ns < b->ns) - (a->ns > b->ns);

	order = order ? order : (int)a->cause - (int)b->cause;
	return order ? order : strcmp(a->where, b->where);
}

static struct summary_idle_line make_idle_line(struct making *making, enum idle_cause cause,
					       const struct idle_line *line)
{
	return (struct summary_idle_line){
		.cause = cause,
		.where = keep_made(making, trace_text_site(making->trace, &line->site)),
		.function = keep_text(making, line->function),
		.from = line->has_from
				? keep_made(making, trace_text_site(making->trace, &line->from))
				: NULL,
		.ns = max_ns(line->ns, 0),
		.gaps = line->gap_count,
	};
}

static void make_idle_lines(struct making *making)
{
	struct summary *summary = making->summary;
	const struct idle *idle = making->analysis->idle;
	size_t count = 0;

	summary->idle_lines =
		memory_array(IDLE_CAUSE_COUNT * IDLE_LINES, sizeof(*summary->idle_lines));
	for (int cause = 0; idle && cause < IDLE_CAUSE_COUNT; cause++) {
		const struct idle_row *row = &idle->all.rows[cause];

		for (size_t i = 0; i < row->line_count; i++)
			summary->idle_lines[count++] =
				make_idle_line(making, (enum idle_cause)cause, &row->lines[i]);
	}
	if (count)
		qsort(summary->idle_lines, count, sizeof(*summary->idle_lines), compare_idle_lines);
	count = count < SUMMARY_IDLE_LINES ? count : SUMMARY_IDLE_LINES;
	summary->idle_lines =
		memory_shrink(summary->idle_lines, count, sizeof(*summary->idle_lines));
	summary->idle_line_count = count;
}

static void make_notes(struct making *making)
{
	struct summary *summary = making->summary;
	size_t count = making->analysis->not_seen.count;

	summary->note_count = count < SUMMARY_NOTES ? count : SUMMARY_NOTES;
	summary->notes = memory_array(summary->note_count ? summary->note_count : 1,
				      sizeof(*summary->notes));
	for (size_t i = 0; i < summary->note_count; i++) {
		summary->notes[i].what =
			keep_text(making, making->analysis->not_seen.items[i].what);
		summary->notes[i].why = keep_text(making, making->analysis->not_seen.items[i].why);
	}
}

static void make_paths(struct making *making)
{
	struct summary *summary = making->summary;
	struct paths_fix fixes[SUMMARY_FIXES];
	size_t count = 0;

	/* The findings of the first pass, and of each later one, begin with what saves most. */
	for (size_t i = 0; i < summary->finding_count && count < SUMMARY_FIXES; i++)
		if (!summary->findings[i].is_folded)
			fixes[count++] = (struct paths_fix){&making->analysis->findings.items[i],
							    summary->findings[i].id,
							    summary->findings[i].where};
	summary->paths = paths_make(making->analysis, summary_member_id(summary), fixes, count);
}

struct summary *summary_of_analysis(const struct trace *trace, const struct analysis *analysis)
{
	struct making making = {memory_array(1, sizeof(*making.summary)), trace, analysis};

	make_facts(&making);
	make_loads(&making);
	make_gpu(&making);
	make_findings(&making);
	make_idle_lines(&making);
	make_notes(&making);
	arrivals_make(trace, analysis->observed.model, making.summary);
	make_paths(&making);
	return making.summary;
}
