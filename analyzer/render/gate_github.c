/* Annotations: lines that GitHub's runner takes out of a job's output and shows at their place. */
#include "render/gate_report.h"
#include "render/page.h"

#include <string.h>

/* in_property: of name=value, where a colon and a comma end it, too. */
static void put_escaped(FILE *out, const char *text, bool in_property)
{
	for (; *text; text++)
		if (strchr("%\r\n", *text) || (in_property && strchr(":,", *text)))
			fprintf(out, "%%%02X", (unsigned int)(unsigned char)*text);
		else
			fputc(*text, out);
}

static void put_annotation(FILE *out, const char *kind, const struct gate_place *place,
			   const char *title, const char *text, const char *more)
{
	fprintf(out, "::%s title=", kind);
	put_escaped(out, title, true);
	if (place->file) {
		fputs(",file=", out);
		put_escaped(out, place->file, true);
	}
	if (place->file && place->line > 0)
		fprintf(out, ",line=%d", place->line);
	fputs("::", out);
	put_escaped(out, text, false);
	if (more) {
		fputs("%0A", out);
		put_escaped(out, more, false);
	}
	fputc('\n', out);
}

static void put_row(FILE *out, const struct gate_row *row)
{
	const char *kind = row->fails			    ? "error"
			   : row->verdict == GATE_UNDECIDED ? "warning"
							    : "notice";
	char title[128];

	if (row->verdict == GATE_SAME)
		return;
	snprintf(title, sizeof(title), "%s: %s%s", row->id,
		 row->reason && !gate_row_is_only_allowed(row) ? "allowed, " : "",
		 gate_row_word(row));
	put_annotation(out, kind, &row->place, title, row->message,
		       row->reason ? row->reason : row->fix);
}

bool gate_print_github(FILE *out, const struct gate *gate)
{
	struct page page = page_open(out);
	struct arena arena = {0};

	for (size_t i = 0; i < gate->rows.count; i++)
		put_row(out, &gate->rows.items[i]);
	for (size_t i = 0; i < gate->notes.count; i++) {
		const struct gate_note *note = &gate->notes.items[i];

		if (note->level != GATE_INFO)
			put_annotation(out, "warning", &note->place,
				       note->level == GATE_DOUBT ? "streamtrace: inconclusive"
								 : "streamtrace",
				       note->text, NULL);
	}
	gate_print_change(&page, gate);
	fprintf(out, "streamtrace %s %s\n", gate->command, gate_summary(gate, &arena));
	arena_free(&arena);
	return true;
}
