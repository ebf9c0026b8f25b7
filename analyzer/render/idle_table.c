#include "render/idle_table.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/json_parts.h"
#include "render/render.h"
#include "trace/site.h"

#include <stdlib.h>
#include <string.h>

/* The report gives reasons only if the GPU was idle for this share of the run. */
#define IDLE_SHARE 0.01

/* Causes and lines below this share of the idle time are not named. */
#define CAUSE_SHARE 0.03
#define LINE_SHARE  0.1

/* If the GPU was idle for this share of the run between its first operation and its last, the report's
 * answer says why. */
#define ANSWER_SHARE 0.05

#define LINES_SHOWN 3

static bool is_share(int64_t part_ns, int64_t whole_ns, double share)
{
	return part_ns > 0 && (double)part_ns >= share * (double)whole_ns;
}

/* Causes, the largest first. */
struct ranking {
	enum idle_cause causes[IDLE_CAUSE_COUNT];
};

static struct ranking ranking_of(const struct idle_table *table)
{
	struct ranking ranking = {{0}};

	for (int i = 0; i < IDLE_CAUSE_COUNT; i++) {
		int at = i;

		for (; at > 0 && table->rows[ranking.causes[at - 1]].ns < table->rows[i].ns; at--)
			ranking.causes[at] = ranking.causes[at - 1];
		ranking.causes[at] = (enum idle_cause)i;
	}
	return ranking;
}

/* "host busy between calls 62.0 %, ..., other 1.0 %"; malloc'ed. */
static char *describe_causes(const struct idle_table *table)
{
	struct ranking ranking = ranking_of(table);
	char *text = memory_format("%s", "");
	int64_t rest_ns = table->idle_ns;
	struct format percent;

	for (int i = 0; i < IDLE_CAUSE_COUNT; i++) {
		const struct idle_row *row = &table->rows[ranking.causes[i]];
		char *longer;

		if (!is_share(row->ns, table->idle_ns, CAUSE_SHARE))
			break;
		longer = memory_format("%s%s%s %s", text, *text ? ", " : "",
				       idle_cause_text(ranking.causes[i]),
				       format_percent(&percent, row->ns, table->idle_ns));
		free(text);
		text = longer;
		rest_ns -= row->ns;
	}
	format_percent(&percent, rest_ns, table->idle_ns);
	if (rest_ns > 0 && strcmp(percent.text, "0.0 %") != 0) {
		char *longer = memory_format("%s%sother %s", text, *text ? ", " : "", percent.text);

		free(text);
		text = longer;
	}
	return text;
}

/* A line with its cause. */
struct shown {
	const struct idle_line *line;
	enum idle_cause cause;
};

/* The longest of all causes; returns how many. */
static size_t longest_lines(const struct idle_table *table, struct shown *shown)
{
	size_t count = 0;

	for (int cause = 0; cause < IDLE_CAUSE_COUNT; cause++)
		for (size_t i = 0; i < table->rows[cause].line_count; i++) {
			const struct idle_line *line = &table->rows[cause].lines[i];
			size_t at = count;

			if (!is_share(line->ns, table->idle_ns, LINE_SHARE))
				continue;
			for (; at > 0 && shown[at - 1].line->ns < line->ns; at--)
				if (at < LINES_SHOWN)
					shown[at] = shown[at - 1];
			if (at < LINES_SHOWN)
				shown[at] = (struct shown){line, (enum idle_cause)cause};
			count += count < LINES_SHOWN;
		}
	return count;
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

/* There is one gap before the first operation. */
static void print_line(const struct page *page, const struct trace *trace,
		       const struct shown *shown)
{
	size_t gap_count = shown->cause == IDLE_START ? 1 : shown->line->gap_count;
	char *text = describe_line(trace, shown);
	struct format time, count;

	print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s in %s gap%s: %s",
			format_time(&time, shown->line->ns), format_count(&count, gap_count),
			gap_count == 1 ? "" : "s", text);
	free(text);
}

static void print_causes(const struct page *page, const struct idle_table *table, const char *name)
{
	char *causes = describe_causes(table);

	print_formatted(page, NULL, 0, "%s: %s", name, causes);
	free(causes);
}

static bool is_worth_reasons(const struct analysis *analysis, const struct idle_table *table)
{
	return is_share(table->idle_ns, analysis->headline.wall_ns, IDLE_SHARE);
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
	print_causes(page, all, name);
	free(name);
}

void print_idle_causes_of(const struct page *page, const struct analysis *analysis,
			  uint32_t device_id)
{
	const struct idle *idle = analysis->idle;

	for (size_t i = 0; i < idle->device_count; i++)
		if (idle->devices[i].device_id == device_id &&
		    is_worth_reasons(analysis, &idle->devices[i]))
			print_causes(page, &idle->devices[i], "idle because");
}

/* Below a heading; nothing where there are none. */
static void print_lines(const struct page *page, const struct trace *trace,
			const struct analysis *analysis, const struct idle_table *table,
			const char *name)
{
	struct shown shown[LINES_SHOWN];
	size_t count = is_worth_reasons(analysis, table) ? longest_lines(table, shown) : 0;

	if (count)
		print_heading(page, name);
	for (size_t i = 0; i < count; i++)
		print_line(page, trace, &shown[i]);
}

void print_idle_lines(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis)
{
	const struct idle *idle = analysis->idle;

	if (!idle->device_count)
		print_lines(page, trace, analysis, &idle->all, "The GPU was idle longest:");
	for (size_t i = 0; i < idle->device_count; i++) {
		char *name =
			memory_format("Device %u was idle longest:", idle->devices[i].device_id);

		print_lines(page, trace, analysis, &idle->devices[i], name);
		free(name);
	}
}

/* The largest cause between the first operation and the last. */
static enum idle_cause most_between(const struct idle_table *table)
{
	struct ranking ranking = ranking_of(table);
	int i = 0;

	while (ranking.causes[i] == IDLE_START || ranking.causes[i] == IDLE_END)
		i++;
	return ranking.causes[i];
}

char *idle_answer(const struct analysis *analysis)
{
	const struct idle_table *table = &analysis->idle->all;
	int64_t between_ns = idle_between_operations_ns(table);
	struct format time, percent, share;
	enum idle_cause most;

	if (!is_share(table->idle_ns, analysis->headline.wall_ns, ANSWER_SHARE))
		return memory_format("No lost overlap found.");
	if (!is_share(between_ns, analysis->headline.wall_ns, ANSWER_SHARE))
		return memory_format("No lost overlap found between the first GPU operation and "
				     "the last. The GPU was idle before them and after them.");
	most = most_between(table);
	return memory_format("No avoidable wait found, yet the GPU was idle for %s (%s of the run) "
			     "between its first operation and its last. %s of that: %s.",
			     format_time(&time, between_ns),
			     format_percent(&percent, between_ns, analysis->headline.wall_ns),
			     format_percent(&share, table->rows[most].ns, between_ns),
			     idle_cause_text(most));
}

static json_t *line_object(const struct idle_line *line)
{
	return json_pack("{s:I, s:I, s:s, s:o, s:o}", "ns", (json_int_t)line->ns, "gaps",
			 (json_int_t)line->gap_count, "call", line->function, "site",
			 site_object(&line->site), "from",
			 line->has_from ? site_object(&line->from) : json_null());
}

json_t *idle_array(const struct idle_table *table)
{
	struct ranking ranking = ranking_of(table);
	json_t *array = json_array();

	for (int i = 0; i < IDLE_CAUSE_COUNT; i++) {
		const struct idle_row *row = &table->rows[ranking.causes[i]];
		json_t *lines = json_array();

		for (size_t k = 0; k < row->line_count; k++)
			json_array_append_new(lines, line_object(&row->lines[k]));
		json_array_append_new(array, json_pack("{s:s, s:I, s:o}", "cause",
						       idle_cause_word(ranking.causes[i]), "ns",
						       (json_int_t)row->ns, "sites", lines));
	}
	return array;
}

json_t *idle_device_array(const struct idle *idle, uint32_t device_id)
{
	for (size_t i = 0; i < idle->device_count; i++)
		if (idle->devices[i].device_id == device_id)
			return idle_array(&idle->devices[i]);
	return idle_array(&idle->all);
}
