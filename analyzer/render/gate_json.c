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
	return json_pack(
		"{s:s, s:b, s:s, s:s, s:s, s:{s:o, s:o, s:s}, s:s, s:o, s:o, s:o}", "verdict",
		gate_verdicts[row->verdict].word, "fails", row->fails, "id", row->id, "identity",
		row->identity, "title", row->title, "site", "file", text_or_null(row->place.file),
		"line", row->place.line > 0 ? json_integer(row->place.line) : json_null(), "name",
		row->place.name, "text", row->text, "fix", text_or_null(row->fix), "allowed",
		text_or_null(row->reason), "moved_from", text_or_null(row->moved_from));
}

static json_t *times_object(const struct gate_times *times)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "runs", (json_int_t)times->runs,
			 "least_ns", (json_int_t)times->least_ns, "median_ns",
			 (json_int_t)times->median_ns, "most_ns", (json_int_t)times->most_ns,
			 "lead_ns", (json_int_t)times->lead_ns, "tail_ns",
			 (json_int_t)times->tail_ns);
}

static json_t *change_object(const struct gate_change *change)
{
	return json_pack("{s:{s:o, s:o}, s:f, s:{s:I, s:I, s:I, s:i}, s:I, s:I, s:I, s:o, s:o, "
			 "s:o, s:I, s:o}",
			 "wall", "base", times_object(&change->base), "head",
			 times_object(&change->head), "scale", change->scale, "realised_ns", "low",
			 (json_int_t)change->low_ns, "estimate", (json_int_t)change->realised_ns,
			 "high", (json_int_t)change->high_ns, "percent", change->percent,
			 "realised_behind_lead_ns", (json_int_t)change->behind_lead_ns,
			 "realised_between_ns", (json_int_t)change->between_ns, "gone",
			 (json_int_t)change->gone_count, "predicted_ns",
			 change->has_predicted ? interval_object(&change->predicted) : json_null(),
			 "no_prediction", text_or_null(change->no_prediction), "left_ns",
			 change->has_left ? interval_object(&change->left) : json_null(),
			 "left_findings", (json_int_t)change->left_count, "rank",
			 text_or_null(change->rank));
}

static json_t *note_object(const struct gate_note *note)
{
	static const char *const levels[] = {"info", "difference", "warning", "doubt"};

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
	return print_json(out,
			  json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "schema_version",
				    JSON_SCHEMA_VERSION, "command", gate->command, "status",
				    statuses[gate->status], "base",
				    paths_array(gate, 0, gate->base_count), "traces",
				    paths_array(gate, gate->base_count, gate->path_count), "change",
				    gate->has_change ? change_object(&gate->change) : json_null(),
				    "findings", rows, "notes", notes));
}
