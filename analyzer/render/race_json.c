#include "render/race_json.h"

#include "findings/reliance.h"
#include "races/race_words.h"
#include "render/json_parts.h"

#include <stdlib.h>

static json_t *access_object(const struct trace *trace, const struct trace_call *call,
			     const char *kernel, const char *access)
{
	const struct site site = site_describe(trace, call->form->site, kernel);

	return json_pack("{s:s, s:s?, s:o, s:s}", "call", call->form->function->name, "kernel",
			 kernel, "site", site_object(&site), "access", access);
}

json_t *finding_order_json(const struct trace *trace, const struct analysis *analysis,
			   const struct finding *finding)
{
	const struct reliance *reliance = finding_reliance(analysis, finding);
	json_t *object;
	char *text;

	if (!reliance)
		return json_null();
	text = reliance_sentence(trace, reliance);
	object = json_pack(
		"{s:I, s:o, s:o, s:s}", "count", (json_int_t)reliance->count, "first",
		access_object(trace, race_call_of(reliance->first), reliance->first->form->name,
			      reliance->first_writes ? "write" : "read"),
		"second",
		access_object(trace, race_call_of(reliance->second), reliance->second->form->name,
			      reliance->second_writes ? "write" : "read"),
		"text", text);
	free(text);
	return object;
}

static json_t *second_object(const struct trace *trace, const struct race *race)
{
	const struct trace_copy_watch *touch = race->touch;
	struct site site;

	if (race->second)
		return access_object(trace, race_call_of(race->second), race->second->form->name,
				     race->second_writes ? "write" : "read");
	if (race->release)
		return access_object(trace, race->release, NULL, "release");
	site = race_second_site(trace, race);
	return json_pack("{s:n, s:n, s:o, s:s, s:I}", "call", "kernel", "site", site_object(&site),
			 "access",
			 touch->kind == FIRST_USE_FREED ? "release"
			 : race->second_writes		? "write"
							: "read",
			 "thread_id", (json_int_t)touch->thread_id);
}

static json_t *race_object(const struct trace *trace, const struct race *race)
{
	char *text = race_sentence(trace, race);
	json_t *object = json_pack(
		"{s:s, s:I, s:I, s:o, s:o, s:s}", "certainty", race_certainty_name(race->certainty),
		"count", (json_int_t)race->count, "margin_ns", (json_int_t)race->margin_ns, "first",
		access_object(trace, race_call_of(race->first), race->first->form->name,
			      race->first_writes ? "write" : "read"),
		"second", second_object(trace, race), "text", text);

	free(text);
	return object;
}

json_t *races_json(const struct analysis *analysis)
{
	json_t *array = json_array();

	for (size_t i = 0; i < analysis->races.count; i++)
		json_array_append_new(array, race_object(analysis->observed.model->trace,
							 &analysis->races.items[i]));
	return array;
}
