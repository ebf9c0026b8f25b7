#include "render/gate_report.h"
#include "render/page.h"

#include <stdlib.h>

#define ROW_INDENT 4

/* One line, however long: what reads logs finds FILE:LINE in it. */
static void print_head(const struct page *page, const struct gate_row *row)
{
	char *place = page_text(page, row->place.name);
	char *from = page_text(page, row->moved_from ? row->moved_from : "");

	page_set_style(page, row->fails ? PAGE_STRONG : PAGE_PLAIN);
	fprintf(page->out, "%s%s: %s at %s%s%s\n",
		row->fails					? "FAILED: "
		: row->reason && !gate_row_is_only_allowed(row) ? "allowed: "
								: "",
		gate_row_word(row), row->id, place, row->moved_from ? ", moved from " : "", from);
	page_set_style(page, PAGE_PLAIN);
	free(place);
	free(from);
}

static void print_row(const struct page *page, const struct gate_row *row)
{
	print_head(page, row);
	print_wrapped(page, NULL, ROW_INDENT,
		      row->fails || row->verdict == GATE_UNDECIDED ? row->message : row->text);
	if (row->reason)
		print_formatted(page, NULL, ROW_INDENT, "allowed: %s", row->reason);
	else if (row->fails && row->fix)
		print_formatted(page, NULL, ROW_INDENT, "fix: %s", row->fix);
}

static void print_notes(const struct page *page, const struct gate *gate, bool are_differences)
{
	for (size_t i = 0; i < gate->notes.count; i++) {
		const struct gate_note *note = &gate->notes.items[i];

		if ((note->level == GATE_DIFFERENCE) == are_differences)
			print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s%s",
					note->level == GATE_DOUBT ? "inconclusive: " : "",
					note->text);
	}
}

bool gate_print_text(FILE *out, const struct gate *gate)
{
	struct page page = page_open(out);
	struct arena arena = {0};

	print_notes(&page, gate, true);
	gate_print_change(&page, gate);
	for (size_t i = 0; i < gate->rows.count; i++)
		print_row(&page, &gate->rows.items[i]);
	print_notes(&page, gate, false);
	fprintf(out, "%s %s\n", gate->command, gate_summary(gate, &arena));
	arena_free(&arena);
	return true;
}
