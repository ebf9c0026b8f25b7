#include "render/gate_report.h"
#include "render/json_parts.h"

static json_t *paths_array(const struct gate *gate, size_t first, size_t end)
{
	json_t *array = json_array();

	for (size_t i = first; i < end; i++)
		json_array_append_new(array, json_string(gate->paths[i]));
	return array;
}

static json_t *row_object(const struct gate_row *row)
{
	return json_pack("{s:s, s:b, s:s, s:s, s:s, s:{s:o, s:o, s:s}, s:s, s:o, s:o}", "verdict",
			 gate_verdicts[row->verdict].word, "fails", row->fails, "id", row->id,
			 "identity", row->identity, "title", row->title, "site", "file",
			 text_or_null(row->place.file), "line",
			 row->place.line > 0 ? json_integer(row->place.line) : json_null(), "name",
			 row->place.name, "text", row->text, "fix", text_or_null(row->fix),
			 "allowed", text_or_null(row->reason));
}

static json_t *note_object(const struct gate_note *note)
{
	static const char *const levels[] = {"info", "warning", "doubt"};

	return json_pack("{s:s, s:s}", "level", levels[note->level], "text", note->text);
}

bool gate_print_json(FILE *out, const struct gate *gate)
{
	static const char *const statuses[] = {"passed", "failed", "inconclusive"};
	json_t *rows = json_array(), *notes = json_array();

	for (size_t i = 0; i < gate->rows.count; i++)
		json_array_append_new(rows, row_object(&gate->rows.items[i]));
	for (size_t i = 0; i < gate->notes.count; i++)
		json_array_append_new(notes, note_object(&gate->notes.items[i]));
	return print_json(out, json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o}", "schema_version",
					 JSON_SCHEMA_VERSION, "command", gate->command, "status",
					 statuses[gate->status], "base",
					 paths_array(gate, 0, gate->base_count), "traces",
					 paths_array(gate, gate->base_count, gate->path_count),
					 "findings", rows, "notes", notes));
}
