#include "mcp/answer_schemas.h"

#include "base/memory.h"
#include "mcp/tools.h"

#include <stdlib.h>
#include <string.h>

#define DEFINITIONS "#/$defs/"

/* Schemas in one document share its $defs: their names, and all references to them, get the number. */
static void number_references(json_t *value, size_t number)
{
	void *place = json_object_iter(value);

	for (size_t i = 0; i < json_array_size(value); i++)
		number_references(json_array_get(value, i), number);
	for (; place; place = json_object_iter_next(value, place)) {
		json_t *item = json_object_iter_value(place);
		const char *text = json_string_value(item);
		char *numbered;

		number_references(item, number);
		if (!text || strncmp(text, DEFINITIONS, strlen(DEFINITIONS)) != 0)
			continue;
		numbered = memory_format("%s_%zu", text, number);
		json_string_set(item, numbered);
		free(numbered);
	}
}

static void move_definitions(json_t *schema, json_t *definitions, size_t number)
{
	json_t *own = json_object_get(schema, "$defs");

	for (void *place = json_object_iter(own); place;
	     place = json_object_iter_next(own, place)) {
		char *name = memory_format("%s_%zu", json_object_iter_key(place), number);

		json_object_set(definitions, name, json_object_iter_value(place));
		free(name);
	}
	json_object_del(schema, "$defs");
	json_object_del(schema, "$schema");
}

static json_t *schema_of_result(const struct tool *tool, json_t *definitions)
{
	json_t *any = json_array(), *only;

	for (size_t i = 0; tool->schemas[i]; i++) {
		json_t *schema = json_loads(tool->schemas[i], 0, NULL);

		number_references(schema, i + 1);
		move_definitions(schema, definitions, i + 1);
		json_array_append_new(any, schema);
	}
	if (json_array_size(any) > 1)
		return json_pack("{s:o}", "anyOf", any);
	only = json_array_size(any) ? json_incref(json_array_get(any, 0)) : json_object();
	json_decref(any);
	return only;
}

static void add_property(json_t *properties, const char *name, const char *type,
			 const char *description)
{
	json_object_set_new(properties, name,
			    json_pack("{s:s, s:s}", "type", type, "description", description));
}

static void add_texts(json_t *properties, const char *name, const char *description)
{
	json_object_set_new(properties, name,
			    json_pack("{s:s, s:{s:s}, s:s}", "type", "array", "items", "type",
				      "string", "description", description));
}

static void add_result(json_t *properties, const struct tool *tool, json_t *definitions)
{
	if (tool->has_json) {
		json_object_set_new(properties, "result", schema_of_result(tool, definitions));
		json_object_set_new(
			properties, "more",
			json_pack("{s:[s, s], s:s}", "type", "object", "array", "description",
				  "with a cursor: what follows in the arrays of result, by their "
				  "names, or in result itself where that is an array"));
	}
	add_property(properties, "text", "string",
		     tool->has_json ? "the answer in another format than json" : "the answer");
	add_property(properties, "next_cursor", "string",
		     "the answer goes on: call again with this as cursor");
}

json_t *schema_of_answer(const struct tool *tool)
{
	json_t *properties = json_object(), *definitions = json_object();
	json_t *schema = json_pack("{s:s, s:[s, s], s:o}", "type", "object", "required", "status",
				   "messages", "properties", properties);

	add_property(
		properties, "status", "integer",
		tool->runs_program
			? "the program's exit status, 128 + N after signal N; 5: it was 0, and "
			  "no CUDA call was recorded"
			: "the command's exit status: 0 fine, 1 a gate failed, 4 the traces "
			  "cannot tell, 5 no CUDA call was recorded");
	add_texts(properties, "messages", "what was said beside the answer");
	if (tool->runs_program) {
		add_property(properties, "folder", "string", "the folder of the traces");
		add_texts(properties, "traces", "the traces, one a process; for report and diff");
		add_property(
			properties, "output", "string",
			"the end of the program's standard output; its errors are in messages");
	} else {
		add_result(properties, tool, definitions);
	}
	if (json_object_size(definitions))
		json_object_set(schema, "$defs", definitions);
	json_decref(definitions);
	return schema;
}
