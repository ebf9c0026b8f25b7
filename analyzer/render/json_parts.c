#include "render/json_parts.h"

json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

json_t *interval_object(const struct stated *interval)
{
	return json_pack("{s:I, s:I, s:I}", "low", (json_int_t)interval->low_ns, "estimate",
			 (json_int_t)interval->estimate_ns, "high", (json_int_t)interval->high_ns);
}

json_t *busy_object(const int64_t *busy_ns)
{
	return json_pack("{s:I, s:I, s:I, s:I}", "compute", (json_int_t)busy_ns[ENGINE_COMPUTE],
			 "h2d", (json_int_t)busy_ns[ENGINE_H2D], "d2h",
			 (json_int_t)busy_ns[ENGINE_D2H], "peer", (json_int_t)busy_ns[ENGINE_PEER]);
}

json_t *site_object(const struct site *site)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "file", text_or_null(site->file),
			 "line", site->line ? json_integer(site->line) : json_null(), "function",
			 text_or_null(site->function), "module", text_or_null(site->module),
			 "offset", (json_int_t)site->offset, "through", text_or_null(site->through),
			 "through_function", text_or_null(site->through_function));
}

static bool has_printed;

bool has_printed_json(void)
{
	return has_printed;
}

bool print_json(FILE *out, json_t *json)
{
	char *text = json_dumps(json, JSON_INDENT(2));
	bool ok = text != NULL;

	json_decref(json);
	if (ok)
		fprintf(out, "%s\n", text);
	has_printed |= ok && out == stdout;
	free(text);
	return ok;
}
