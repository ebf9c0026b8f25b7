#include "render/incident_json.h"

#include "render/incident_hang_text.h"
#include "render/incident_text.h"
#include "render/json_parts.h"

#include <stdlib.h>

static const char *part_word(const struct step_part *part)
{
	static const char *const words[] = {
		[PART_CALL] = "call",	    [PART_STATE] = "state",   [PART_READY] = "no-processor",
		[PART_STOPPED] = "stopped", [PART_UNSEEN] = "unseen",
	};

	return words[part->what];
}

static json_t *number_or_null(int64_t value)
{
	return value >= 0 ? json_integer(value) : json_null();
}

/* Frees the text. */
static json_t *made_text(char *text)
{
	json_t *json = text_or_null(text);

	free(text);
	return json;
}

static json_t *part_json(const struct incident *incident, const struct step_part *part)
{
	const struct step_parts *parts = incident->parts;
	const bool is_known = parts->normal_count > 0;

	return json_pack(
		"{s:s, s:o, s:o, s:o, s:I, s:b, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
		part_word(part), "text", made_text(incident_text_what(incident, part)), "call",
		part->function ? json_string(part->function->name) : json_null(), "site",
		part->what == PART_STOPPED ? json_null() : site_object(&part->site), "thread_id",
		(json_int_t)part->thread_id, "other_thread", part->is_elsewhere, "extra_ns",
		(json_int_t)part->extra_ns, "ns", (json_int_t)part->slow.ns, "normal_ns",
		is_known ? json_integer((json_int_t)step_part_normal_ns(parts, part)) : json_null(),
		"calls",
		part->what == PART_CALL ? json_integer((json_int_t)part->slow.count) : json_null(),
		"normal_calls",
		is_known && part->what == PART_CALL ? json_real(step_part_normal_count(parts, part))
						    : json_null(),
		"bytes", json_integer((json_int_t)part->slow.bytes), "normal_bytes",
		is_known ? json_real(step_part_normal_bytes(parts, part)) : json_null(),
		"page_faults",
		part->what == PART_STATE ? json_integer((json_int_t)part->slow.faults)
					 : json_null());
}

static json_t *parts_array(const struct incident *incident)
{
	json_t *array = json_array();

	for (size_t i = 0; incident->parts && i < incident->parts->count; i++)
		if (incident_shows(incident, &incident->parts->rows[i], true))
			json_array_append_new(array,
					      part_json(incident, &incident->parts->rows[i]));
	return array;
}

static json_t *stack_array(const struct incident *incident)
{
	json_t *array = json_array();
	char *frame;

	for (size_t i = 0; (frame = incident_text_frame(incident, i)); i++)
		json_array_append_new(array, made_text(frame));
	return array;
}

/* null: it is no hang. */
static json_t *hang_json(const struct incident *incident)
{
	const struct trace_incident *row = incident->row;
	struct site site;

	if (row->cause != INCIDENT_HANG)
		return json_null();
	site = site_describe(incident->trace, row->site, NULL);
	return json_pack("{s:o, s:o, s:I, s:o, s:I, s:b, s:o}", "call",
			 row->function ? json_string(row->function->name) : json_null(), "site",
			 site_object(&site), "thread_id", (json_int_t)row->thread_id, "entered_ns",
			 number_or_null(row->entered_ns), "ns", (json_int_t)incident->hangs_ns,
			 "returned", incident->is_over, "stack", stack_array(incident));
}

static json_t *device_json(const struct incident *incident)
{
	const struct incident_device *device = &incident->device;

	return json_pack("{s:I, s:I, s:o, s:o}", "recorded_ns", (json_int_t)device->recorded_ns,
			 "operations", (json_int_t)device->operation_count, "last_end_ns",
			 device->last ? json_integer((json_int_t)device->last->end_ns)
				      : json_null(),
			 "text", made_text(incident_text_device(incident)));
}

json_t *incident_json(const struct incident *incident)
{
	const struct trace_incident *row;

	if (!incident)
		return json_null();
	row = incident->row;
	return json_pack(
		"{s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "cause",
		incident_cause_word(row->cause), "text", made_text(incident_text(incident)), "why",
		made_text(incident->cause ? incident_text_cause(incident) : NULL), "noticed_ns",
		(json_int_t)row->noticed_ns, "step", number_or_null(row->step), "step_ns",
		incident->step ? json_integer(incident->step->end_ns - incident->step->start_ns)
			       : json_null(),
		"median_ns", number_or_null(row->median_ns), "normal_before",
		number_or_null(row->normal_before), "normal_steps",
		(json_int_t)(incident->parts ? incident->parts->normal_count : 0), "extra_ns",
		(json_int_t)incident->extra_ns, "parts", parts_array(incident), "hang",
		hang_json(incident), "device", device_json(incident));
}
