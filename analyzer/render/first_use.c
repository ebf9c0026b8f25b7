/* Which waits were needed: the lines of first_use_waits.h. */
#include "findings/first_use_waits.h"
#include "base/format.h"
#include "base/memory.h"
#include "render/page.h"
#include "render/render.h"

#include <stdlib.h>

/* ", 3 movable by 1.20 ms or more" behind the text, which is freed. */
static char *append(char *text, size_t count, const char *name, const char *how, int64_t ns)
{
	struct format number, time;
	char *longer;

	if (!count)
		return text;
	longer = memory_format("%s%s %s %s%s%s", text, text[0] ? "," : "",
			       format_count(&number, count), name, how,
			       *how ? format_time(&time, ns) : "");
	free(text);
	return longer;
}

static void print_line(const struct page *page, const struct trace *trace,
		       const struct first_use_line *line)
{
	char *place = render_place(trace, &line->site), *counts = memory_format("%s", ""), *text;

	counts = append(counts, line->counts[JUDGED_REMOVABLE], "removable", "", 0);
	counts = append(counts, line->counts[JUDGED_MOVABLE], "movable", ", by at least ",
			line->movable_ns);
	counts = append(counts, line->counts[JUDGED_NEEDED], "needed", ", used within ",
			line->needed_ns);
	counts = append(counts, line->counts[JUDGED_UNKNOWN], "not known", "", 0);
	text = memory_format("%s at %s:%s", line->function, place, counts);
	print_wrapped(page, "  - ", 4, text);
	free(text);
	free(counts);
	free(place);
}

void print_first_uses(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis)
{
	if (!analysis->first_use_line_count)
		return;
	fputc('\n', page->out);
	print_wrapped(page, NULL, 0, "Waits, by when the host first used what they waited for:");
	for (size_t i = 0; i < analysis->first_use_line_count; i++)
		print_line(page, trace, &analysis->first_use_lines[i]);
}

json_t *first_uses_array(const struct analysis *analysis)
{
	json_t *array = json_array();

	for (size_t i = 0; i < analysis->first_use_line_count; i++) {
		const struct first_use_line *line = &analysis->first_use_lines[i];

		json_array_append_new(
			array,
			json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:o, s:o}", "call",
				  line->function, "site", site_object(&line->site), "removable",
				  (json_int_t)line->counts[JUDGED_REMOVABLE], "movable",
				  (json_int_t)line->counts[JUDGED_MOVABLE], "needed",
				  (json_int_t)line->counts[JUDGED_NEEDED], "unknown",
				  (json_int_t)line->counts[JUDGED_UNKNOWN], "movable_by_ns",
				  line->counts[JUDGED_MOVABLE] ? json_integer(line->movable_ns)
							       : json_null(),
				  "needed_within_ns",
				  line->counts[JUDGED_NEEDED] ? json_integer(line->needed_ns)
							      : json_null()));
	}
	return array;
}
