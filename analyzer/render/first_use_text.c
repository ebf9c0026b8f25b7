#include "render/first_use_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "findings/first_use_waits.h"
#include "render/render.h"

#include <stdlib.h>

/* ", 3 movable by 1.20 ms or more" behind the text, which is freed. */
static char *append_count(char *text, size_t count, const char *name, const char *how, int64_t ns)
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
	char *site = render_site(trace, &line->site), *counts = memory_format("%s", "");

	counts = append_count(counts, line->counts[JUDGED_REMOVABLE], "removable", "", 0);
	counts = append_count(counts, line->counts[JUDGED_MOVABLE], "movable", " by at least ",
			      line->movable_ns);
	counts = append_count(counts, line->counts[JUDGED_NEEDED], "needed", ", first used within ",
			      line->needed_ns);
	counts = append_count(counts, line->counts[JUDGED_UNKNOWN], "unknown", "", 0);
	print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s at %s:%s", line->function, site, counts);
	free(counts);
	free(site);
}

void print_first_uses(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis)
{
	if (!analysis->first_uses.count)
		return;
	print_heading(page, "Waits by when the host first used their results:");
	for (size_t i = 0; i < analysis->first_uses.count; i++)
		print_line(page, trace, &analysis->first_uses.items[i]);
}
