#include "render/incident_table.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/incident_hang_text.h"
#include "render/incident_text.h"
#include "render/table.h"

#include <math.h>
#include <stdlib.h>

enum {
	GAP = 2,
	ROWS_MOST = 12,	  /* without --all */
	FRAMES_MOST = 24, /* likewise */
};

static void print_made(const struct page *page, char *text)
{
	if (text)
		print_wrapped(page, NULL, 0, text);
	free(text);
}

static void print_first_line(const struct page *page, const struct incident *incident)
{
	char *text = incident_text_line(incident);

	page_set_style(page, PAGE_STRONG);
	print_wrapped(page, NULL, 0, text);
	page_set_style(page, PAGE_PLAIN);
	free(text);
}

static void add_row(struct table *table, const struct page *page, const struct incident *incident,
		    const struct step_part *part)
{
	const struct step_parts *parts = incident->parts;
	const double normal_ns = step_part_normal_ns(parts, part);
	const bool is_call = part->what == PART_CALL;
	struct format extra, slow, normal, calls, normal_calls;
	char *what = incident_text_what(incident, part),
	     *where = incident_text_where(incident, part);
	char *shown_what = page_text(page, what), *shown_where = page_text(page, where);
	const char *const cells[] = {
		format_time(&extra, part->extra_ns),
		format_time(&slow, part->slow.ns),
		parts->normal_count ? format_time(&normal, (int64_t)normal_ns) : "-",
		is_call ? format_count(&calls, part->slow.count) : "",
		is_call && parts->normal_count
			? format_count(&normal_calls,
				       (uint64_t)llround(step_part_normal_count(parts, part)))
			: "",
		shown_what,
		shown_where};

	table_add_row(table, cells);
	free(shown_where);
	free(shown_what);
	free(where);
	free(what);
}

static bool print_rows(const struct page *page, const struct incident *incident, bool all)
{
	static const char *const names[] = {"more",   "this step", "normal", "calls",
					    "normal", "what",	   "line"};
	struct table table = table_open(page->out, page->table_width);
	size_t shown = 0;

	table_set_gap(&table, GAP);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		table_add_column(&table, names[i], i < 5);
	for (size_t i = 0; i < incident->parts->count && (all || shown < ROWS_MOST); i++)
		if (incident_shows(incident, &incident->parts->rows[i], all)) {
			add_row(&table, page, incident, &incident->parts->rows[i]);
			shown++;
		}
	return table_print(&table);
}

static void print_hang(const struct page *page, const struct incident *incident, bool all)
{
	char *since = incident_text_since(incident), *frame;

	if (since)
		print_wrapped(page, NULL, 0, since);
	for (size_t i = 0; since && (all || i < FRAMES_MOST); i++) {
		frame = incident_text_frame(incident, i);
		if (!frame)
			break;
		print_wrapped(page, ITEM_LEAD, ITEM_INDENT, frame);
		free(frame);
	}
	free(since);
	print_made(page, incident_text_device(incident));
}

bool print_incident(const struct page *page, const struct incident *incident, bool all)
{
	bool ok = true;

	print_first_line(page, incident);
	if (incident->row->cause == INCIDENT_HANG)
		print_hang(page, incident, all);
	if (incident->step) {
		fputc('\n', page->out);
		print_made(page, incident_text_title(incident));
		ok = print_rows(page, incident, all);
	}
	fputc('\n', page->out);
	return ok;
}
