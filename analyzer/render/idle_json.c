/* Why the GPU was idle, as JSON (idle_table.h). */
#include "model/model.h"
#include "render/host_text.h"
#include "render/idle_table.h"
#include "render/json_parts.h"

#include <math.h>
#include <stdlib.h>

/* Takes over the text. */
static json_t *own_text(char *text)
{
	json_t *string = json_string(text);

	free(text);
	return string;
}

static json_t *line_object(const struct idle_line *line)
{
	return json_pack("{s:I, s:I, s:s, s:o, s:o}", "ns", (json_int_t)line->ns, "gaps",
			 (json_int_t)line->gap_count, "call", line->function, "site",
			 site_object(&line->site), "from",
			 line->has_from ? site_object(&line->from) : json_null());
}

static json_t *other_object(const struct host_texts *texts, const struct host_other *other)
{
	const struct host_doing *doing = other->call ? NULL : &texts->record->doings[other->doing];
	struct site site = other->call ? site_describe(texts->trace, other->call->form->site, NULL)
				       : doing->site;

	return json_pack(
		"{s:I, s:o, s:o, s:o, s:o, s:o, s:I}", "ns", (json_int_t)other->ns, "state",
		doing ? json_string(host_state_text(texts, other->doing)) : json_null(), "call",
		text_or_null(other->call ? other->call->form->function->name : NULL), "site",
		site_object(&site), "called", text_or_null(doing ? doing->called : NULL), "thread",
		own_text(host_thread_text(texts, other->thread_id, 1)), "threads",
		(json_int_t)other->thread_count);
}

static json_t *others_array(const struct host_texts *texts, const struct host_others *others)
{
	json_t *array = json_array();

	for (size_t i = 0; i < others->count; i++)
		json_array_append_new(array, other_object(texts, &others->items[i]));
	return array;
}

static json_t *host_object(const struct host_texts *texts, const struct host_idle_row *row)
{
	const struct host_doing *doing =
		row->doing == HOST_NOT_SEEN ? NULL : &texts->record->doings[row->doing];
	json_t *object = json_pack(
		"{s:I, s:I, s:I, s:o, s:s, s:o, s:o, s:o}", "ns", (json_int_t)row->ns, "seen_ns",
		(json_int_t)row->seen_ns, "gaps", (json_int_t)llround(row->gap_count), "text",
		own_text(host_row_text(texts, row)), "state", host_state_text(texts, row->doing),
		"site", doing ? site_object(&doing->site) : json_null(), "called",
		text_or_null(doing ? doing->called : NULL), "name",
		text_or_null(doing ? doing->name : NULL));
	json_t *rest = json_pack(
		"{s:o, s:I, s:I, s:I, s:I, s:I, s:o}", "thread",
		doing ? own_text(host_thread_text(texts, row->thread_id, 1)) : json_null(),
		"threads", (json_int_t)row->thread_count, "ready_ns", (json_int_t)row->ready_ns,
		"page_faults", (json_int_t)llround(row->faults), "waits_ns",
		(json_int_t)row->others.wait_ns, "known_ns", (json_int_t)row->others.known_ns,
		"meanwhile", others_array(texts, &row->others));

	json_object_update(object, rest);
	json_decref(rest);
	return object;
}

static json_t *host_array(const struct host_texts *texts, const struct host_idle *host)
{
	json_t *array = json_array();

	for (size_t i = 0; i < host->row_count; i++)
		json_array_append_new(array, host_object(texts, &host->rows[i]));
	return array;
}

json_t *idle_array(const struct analysis *analysis, const struct idle_table *table)
{
	const struct host_texts texts = {analysis->observed.model->trace,
					 analysis->observed.model->host, false};
	struct idle_ranking ranking = idle_ranking_of(table);
	json_t *array = json_array();

	for (int i = 0; i < IDLE_CAUSE_COUNT; i++) {
		const struct idle_row *row = &table->rows[ranking.causes[i]];
		json_t *lines = json_array(), *object;

		for (size_t k = 0; k < row->line_count; k++)
			json_array_append_new(lines, line_object(&row->lines[k]));
		object = json_pack("{s:s, s:I, s:o}", "cause", idle_cause_word(ranking.causes[i]),
				   "ns", (json_int_t)row->ns, "sites", lines);
		if (ranking.causes[i] == IDLE_HOST_WORK && table->host)
			json_object_set_new(object, "host", host_array(&texts, table->host));
		json_array_append_new(array, object);
	}
	return array;
}

json_t *idle_device_array(const struct analysis *analysis, uint32_t device_id)
{
	const struct idle *idle = analysis->idle;

	for (size_t i = 0; i < idle->device_count; i++)
		if (idle->devices[i].device_id == device_id)
			return idle_array(analysis, &idle->devices[i]);
	return idle_array(analysis, &idle->all);
}
