#include "render/idle_table.h"

#include "base/format.h"
#include "base/memory.h"
#include "model/model.h"
#include "render/host_text.h"
#include "render/idle_reasons.h"
#include "render/render.h"
#include "trace/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The report gives reasons only if the GPU was idle for this share of the run. */
#define IDLE_SHARE 0.01

/* Lines below this share of the idle time are not named. */
#define LINE_SHARE 0.1

/* If the GPU was idle for this share of the run between its first operation and its last, the report's
 * answer says why. */
#define ANSWER_SHARE 0.05

#define LINES_SHOWN 3

/* A line with its cause. */
struct shown {
	int64_t ns;
	size_t gap_count;
	const struct idle_line *line; /* NULL: host */
	const struct host_idle_row *host;
	enum idle_cause cause;
};

/* Keeps the longest; returns how many there are then. */
static size_t insert_shown(struct shown *shown, size_t count, struct shown one)
{
	size_t at = count;

	for (; at > 0 && shown[at - 1].ns < one.ns; at--)
		if (at < LINES_SHOWN)
			shown[at] = shown[at - 1];
	if (at < LINES_SHOWN)
		shown[at] = one;
	return count + (count < LINES_SHOWN);
}

/* The longest of all causes; returns how many. */
static size_t longest_lines(const struct idle_table *table, struct shown *shown)
{
	size_t count = 0;

	for (int cause = 0; cause < IDLE_CAUSE_COUNT; cause++)
		for (size_t i = 0; i < table->rows[cause].line_count; i++) {
			const struct idle_line *line = &table->rows[cause].lines[i];

			if (idle_is_share(line->ns, table->idle_ns, LINE_SHARE) &&
			    !(table->host && cause == IDLE_HOST_WORK))
				count = insert_shown(shown, count,
						     (struct shown){line->ns, line->gap_count, line,
								    NULL, (enum idle_cause)cause});
		}
	for (size_t i = 0; table->host && i < table->host->row_count; i++) {
		const struct host_idle_row *row = &table->host->rows[i];

		if (idle_is_share(row->ns, table->idle_ns, LINE_SHARE))
			count = insert_shown(shown, count,
					     (struct shown){row->ns,
							    (size_t)llround(row->gap_count), NULL,
							    row, IDLE_HOST_WORK});
	}
	return count;
}

/* What a host row was, and who ran during its waits; malloc'ed. */
static char *describe_host(const struct host_texts *texts, const struct host_idle_row *row)
{
	char *text = host_row_text(texts, row), *meanwhile = host_meanwhile_text(texts, row);
	char *both =
		meanwhile ? memory_format("%s; %s", text, meanwhile) : memory_format("%s", text);

	free(meanwhile);
	free(text);
	return both;
}

/* What the host did, for the end of a line. malloc'ed. */
static char *describe_line(const struct trace *trace, const struct shown *shown)
{
	const struct idle_line *line = shown->line;
	char *site = render_site(trace, &line->site), *from, *text;

	if (line->has_from) {
		from = render_site(trace, &line->from);
		/* Two calls of one line are at two addresses. */
		text = strcmp(from, site) == 0
			       ? memory_format("host busy between calls at %s", site)
			       : memory_format("host busy from %s to %s", from, site);
		free(from);
	} else if (shown->cause == IDLE_HOST_WORK) {
		text = memory_format("host busy before its thread's first call, %s", site);
	} else {
		text = memory_format("%s, %s at %s", idle_cause_text(shown->cause), line->function,
				     site);
	}
	free(site);
	return text;
}

/* There is one gap before the first operation. Of the host's time that nobody saw, the gaps are not
 * counted. */
static void print_line(const struct page *page, const struct host_texts *texts,
		       const struct shown *shown)
{
	size_t gap_count = shown->cause == IDLE_START ? 1 : shown->gap_count;
	char *text = shown->host ? describe_host(texts, shown->host)
				 : describe_line(texts->trace, shown);
	struct format time, count;

	if (gap_count)
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s in %s gap%s: %s",
				format_time(&time, shown->ns), format_count(&count, gap_count),
				gap_count == 1 ? "" : "s", text);
	else
		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s: %s",
				format_time(&time, shown->ns), text);
	free(text);
}

static struct host_texts texts_of(const struct analysis *analysis)
{
	return (struct host_texts){analysis->observed.model->trace, analysis->observed.model->host,
				   false};
}

static void print_causes(const struct page *page, const struct analysis *analysis,
			 const struct idle_table *table, const char *name)
{
	struct host_texts texts = texts_of(analysis);
	char *causes = idle_reasons_text(&texts, table);

	print_formatted(page, NULL, 0, "%s: %s", name, causes);
	free(causes);
}

static bool is_worth_reasons(const struct analysis *analysis, const struct idle_table *table)
{
	return idle_is_share(table->idle_ns, analysis->headline.wall_ns, IDLE_SHARE);
}

void print_idle_causes(const struct page *page, const struct analysis *analysis)
{
	const struct idle_table *all = &analysis->idle->all;
	struct format time;
	char *name;

	if (!is_worth_reasons(analysis, all))
		return;
	if (analysis->idle->device_count) {
		fputc('\n', page->out);
		name = memory_format("All GPUs idle at once, %s, because",
				     format_time(&time, all->idle_ns));
	} else {
		name = memory_format("idle because");
	}
	print_causes(page, analysis, all, name);
	free(name);
}

void print_idle_causes_of(const struct page *page, const struct analysis *analysis,
			  uint32_t device_id)
{
	const struct idle *idle = analysis->idle;

	for (size_t i = 0; i < idle->device_count; i++)
		if (idle->devices[i].device_id == device_id &&
		    is_worth_reasons(analysis, &idle->devices[i]))
			print_causes(page, analysis, &idle->devices[i], "idle because");
}

char *idle_causes_of_host(const struct analysis *analysis)
{
	const struct idle_table *all = &analysis->idle->all;
	struct host_texts texts = texts_of(analysis);

	return all->host && is_worth_reasons(analysis, all) ? idle_reasons_text(&texts, all) : NULL;
}

/* Below a heading; nothing where there are none. */
static void print_lines(const struct page *page, const struct analysis *analysis,
			const struct idle_table *table, const char *name)
{
	struct host_texts texts = texts_of(analysis);
	struct shown shown[LINES_SHOWN];
	size_t count = is_worth_reasons(analysis, table) ? longest_lines(table, shown) : 0;

	if (count)
		print_heading(page, name);
	for (size_t i = 0; i < count; i++)
		print_line(page, &texts, &shown[i]);
}

void print_idle_lines(const struct page *page, const struct analysis *analysis)
{
	const struct idle *idle = analysis->idle;

	if (!idle->device_count)
		print_lines(page, analysis, &idle->all, "The GPU was idle longest:");
	for (size_t i = 0; i < idle->device_count; i++) {
		char *name =
			memory_format("Device %u was idle longest:", idle->devices[i].device_id);

		print_lines(page, analysis, &idle->devices[i], name);
		free(name);
	}
}

/* The largest cause between the first operation and the last. */
static enum idle_cause most_between(const struct idle_table *table)
{
	struct idle_ranking ranking = idle_ranking_of(table);
	int i = 0;

	while (ranking.causes[i] == IDLE_START || ranking.causes[i] == IDLE_END)
		i++;
	return ranking.causes[i];
}

/* "62.0 % of that: host busy between calls", by the host's longest row where looks tell;
 * malloc'ed. */
static char *describe_most(const struct analysis *analysis, const struct idle_table *table)
{
	enum idle_cause most = most_between(table);
	struct host_texts texts = texts_of(analysis);
	struct idle_reason reason = {table->rows[most].ns, most, NULL};
	struct format share;
	char *what, *text;

	if (most == IDLE_HOST_WORK && table->host)
		reason = (struct idle_reason){table->host->rows[0].ns, most, &table->host->rows[0]};
	what = idle_reason_text(&texts, table, &reason);
	text = memory_format("%s of that: %s",
			     format_percent(&share, reason.ns, idle_between_operations_ns(table)),
			     what);
	free(what);
	return text;
}

char *idle_answer(const struct analysis *analysis)
{
	const struct idle_table *table = &analysis->idle->all;
	int64_t between_ns = idle_between_operations_ns(table);
	struct format time, percent;
	char *most, *text;

	if (!idle_is_share(table->idle_ns, analysis->headline.wall_ns, ANSWER_SHARE))
		return memory_format("No lost overlap found.");
	if (!idle_is_share(between_ns, analysis->headline.wall_ns, ANSWER_SHARE))
		return memory_format("No lost overlap found between the first GPU operation and "
				     "the last. The GPU was idle before them and after them.");
	most = describe_most(analysis, table);
	text = memory_format("No avoidable wait found, yet the GPU was idle for %s (%s of the run) "
			     "between its first operation and its last. %s.",
			     format_time(&time, between_ns),
			     format_percent(&percent, between_ns, analysis->headline.wall_ns),
			     most);
	free(most);
	return text;
}
