#include "render/idle_reasons.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* How many reasons are named by themselves, and the least share of the idle time of such a one. More than four of a
 * framework's lines took nine lines of the report and covered no 10 % more. */
#define NAMED_MOST  4
#define NAMED_SHARE 0.03

/* It is said what the rest is from this share of the idle time on: its largest classes, as far as each is this share
 * of the rest. */
#define REST_SHARE   0.1
#define CLASS_SHARE  0.1
#define CLASSES_MOST 3

/* A longer text of the call in which CUDA started, in bytes, would hide the shares: it is left out. */
#define START_CALL_MOST 64

bool idle_is_share(int64_t part_ns, int64_t whole_ns, double share)
{
	return part_ns > 0 && (double)part_ns >= share * (double)whole_ns;
}

static int compare_reasons(const void *a, const void *b)
{
	const struct idle_reason *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->cause > y->cause) - (x->cause < y->cause);
}

/* All reasons, the largest first: causes, and what the host did between calls by its rows. Returns
 * how many. The caller frees *reasons. */
static size_t reasons_of(const struct idle_table *table, struct idle_reason **reasons)
{
	const size_t row_count = table->host ? table->host->row_count : 0;
	size_t count = 0;

	*reasons = memory_array(IDLE_CAUSE_COUNT + row_count, sizeof(**reasons));
	for (int i = 0; i < IDLE_CAUSE_COUNT; i++)
		if (table->rows[i].ns > 0 && !(table->host && i == IDLE_HOST_WORK))
			(*reasons)[count++] =
				(struct idle_reason){table->rows[i].ns, (enum idle_cause)i, NULL};
	for (size_t i = 0; i < row_count; i++)
		if (table->host->rows[i].ns > 0)
			(*reasons)[count++] = (struct idle_reason){
				table->host->rows[i].ns, IDLE_HOST_WORK, &table->host->rows[i]};
	if (count)
		qsort(*reasons, count, sizeof(**reasons), compare_reasons);
	return count;
}

/* ", mostly cudaMalloc at app.cu:12", if one call took most of the time and the text is short; else "". malloc'ed. */
static char *describe_start_call(const struct trace *trace, const struct idle_row *row)
{
	const struct idle_line *line = row->lines;
	char *site, *text;

	if (!row->line_count || 2 * line->ns <= row->ns)
		return memory_format("%s", "");
	site = render_site(trace, &line->site);
	text = memory_format(", mostly %s at %s", line->function, site);
	free(site);
	if (strlen(text) > START_CALL_MOST)
		*text = '\0';
	return text;
}

char *idle_reason_text(const struct host_texts *texts, const struct idle_table *table,
		       const struct idle_reason *reason)
{
	struct format time;
	char *call, *text;

	if (reason->host)
		return host_row_text(texts, reason->host);
	if (reason->cause != IDLE_START)
		return memory_format("%s", idle_cause_text(reason->cause));
	if (texts->trace->whole) /* the program ran before */
		return memory_format("before the first GPU operation that was recorded");
	call = describe_start_call(texts->trace, &table->rows[IDLE_START]);
	text = memory_format("CUDA start-up (%s, once%s)", format_time(&time, reason->ns), call);
	free(call);
	return text;
}

/* "kernels starting 3.5 %", "waiting for app.cu:12: 3.5 %"; frees the text. malloc'ed. */
static char *with_share(char *what, int64_t ns, int64_t whole_ns)
{
	struct format percent;
	const size_t length = strlen(what);
	const bool ends_in_number = length && what[length - 1] >= '0' && what[length - 1] <= '9';
	char *text = memory_format("%s%s %s", what, ends_in_number ? ":" : "",
				   format_percent(&percent, ns, whole_ns));

	free(what);
	return text;
}

/* Both texts, with what stands between them if the first is not empty; frees them. malloc'ed. */
static char *join_texts(char *text, const char *between, char *next)
{
	char *longer = memory_format("%s%s%s", text, *text ? between : "", next);

	free(next);
	free(text);
	return longer;
}

/* A class of what is not named: a cause, or all rows of the host. */
struct rest_class {
	struct idle_reason largest;
	int64_t ns;
	size_t count;
};

static int compare_classes(const void *a, const void *b)
{
	const struct rest_class *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->largest.cause > y->largest.cause) - (x->largest.cause < y->largest.cause);
}

/* "kernels starting 3.5 %", "41 lines of the host 18.3 % (5.8 % at most)"; malloc'ed. */
static char *describe_class(const struct host_texts *texts, const struct idle_table *table,
			    const struct rest_class *class)
{
	struct format count, percent, most;

	if (class->count == 1)
		return with_share(idle_reason_text(texts, table, &class->largest), class->ns,
				  table->idle_ns);
	return memory_format("%s lines of the host %s (%s at most)",
			     format_count(&count, class->count),
			     format_percent(&percent, class->ns, table->idle_ns),
			     format_percent(&most, class->largest.ns, table->idle_ns));
}

/* What the reasons, the largest first, are in all: their largest classes, or "" if they are little.
 * malloc'ed. */
static char *describe_rest(const struct host_texts *texts, const struct idle_table *table,
			   const struct idle_reason *reasons, size_t count, int64_t rest_ns)
{
	struct rest_class classes[IDLE_CAUSE_COUNT] = {0};
	char *text = memory_format("%s", "");

	if (!idle_is_share(rest_ns, table->idle_ns, REST_SHARE))
		return text;
	for (size_t i = 0; i < count; i++) {
		struct rest_class *class = &classes[reasons[i].cause];

		if (!class->count++)
			class->largest = reasons[i];
		class->ns += reasons[i].ns;
	}
	qsort(classes, IDLE_CAUSE_COUNT, sizeof(*classes), compare_classes);
	for (size_t i = 0; i < CLASSES_MOST && idle_is_share(classes[i].ns, rest_ns, CLASS_SHARE);
	     i++)
		text = join_texts(text, ", ", describe_class(texts, table, &classes[i]));
	return text;
}

char *idle_reasons_text(const struct host_texts *texts, const struct idle_table *table)
{
	const struct host_texts brief = {texts->trace, texts->record, true};
	char *text = memory_format("%s", ""), *rest;
	int64_t rest_ns = table->idle_ns;
	struct idle_reason *reasons;
	size_t count = reasons_of(table, &reasons), named = 0;
	struct format percent;

	for (; named < count && named < NAMED_MOST &&
	       idle_is_share(reasons[named].ns, table->idle_ns, NAMED_SHARE);
	     named++) {
		const struct idle_reason *reason = &reasons[named];

		text = join_texts(text, ", ",
				  with_share(idle_reason_text(&brief, table, reason), reason->ns,
					     table->idle_ns));
		rest_ns -= reason->ns;
	}
	format_percent(&percent, rest_ns, table->idle_ns);
	if (rest_ns > 0 && strcmp(percent.text, "0.0 %") != 0) {
		rest = describe_rest(&brief, table, reasons + named, count - named, rest_ns);
		text = join_texts(
			text, ", ",
			memory_format("other %s%s%s", percent.text, *rest ? ": " : "", rest));
		free(rest);
	}
	free(reasons);
	return text;
}
