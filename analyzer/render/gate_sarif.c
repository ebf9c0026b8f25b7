/* SARIF 2.1.0, an OASIS standard: the results of tools that look at code, as JSON. */
#include "base/memory.h"
#include "findings/detector_table.h"
#include "render/gate_report.h"
#include "races/races.h"
#include "render/json_parts.h"

#include <stdlib.h>
#include <string.h>

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"

static json_t *message_object(const char *text)
{
	return json_pack("{s:s}", "text", text);
}

static json_t *rule_object(const char *id, const char *title, const char *help)
{
	return json_pack("{s:s, s:o, s:o}", "id", id, "shortDescription", message_object(title),
			 "help", message_object(help));
}

static json_t *rules_array(void)
{
	json_t *rules = json_array();

	for (size_t i = 0; detectors[i]; i++)
		json_array_append_new(rules, rule_object(detectors[i]->id, detectors[i]->title,
							 detectors[i]->fix));
	json_array_append_new(rules, rule_object("max-lost", gate_verdicts[GATE_LIMIT].meaning,
						 "See the findings: what they save together is "
						 "compared with the limit."));
	for (int i = 0; i < RACE_CERTAINTIES; i++)
		json_array_append_new(
			rules,
			rule_object(
				race_id(i), RACE_TITLE,
				"Record an event behind the first access, and let the stream of "
				"the second wait for it."));
	return rules;
}

/* As in rules_array(). */
static size_t rule_index(const char *id)
{
	size_t count = 0;

	while (detectors[count] && strcmp(detectors[count]->id, id) != 0)
		count++;
	for (size_t i = 0; !detectors[count] && i < RACE_CERTAINTIES; i++)
		if (!strcmp(race_id(i), id))
			return count + 1 + i;
	return count;
}

static bool is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("-._~/", c);
}

/* The path as a URI reference; malloc'ed. */
static char *make_uri(const char *path)
{
	static const char digits[] = "0123456789ABCDEF", scheme[] = "file://";
	size_t length = strlen(path);
	char *uri = memory_array(3 * length + sizeof(scheme), 1), *end = uri;

	if (*path == '/')
		end = stpcpy(end, scheme);
	for (const char *c = path; *c; c++) {
		unsigned char byte = (unsigned char)*c;

		if (is_plain(byte)) {
			*end++ = *c;
			continue;
		}
		*end++ = '%';
		*end++ = digits[byte >> 4];
		*end++ = digits[byte & 15];
	}
	*end = '\0';
	return uri;
}

/* A result without a file points to the trace. */
static json_t *location_object(const struct gate_place *place)
{
	char *uri = make_uri(place->file ? place->file : place->name);
	json_t *physical = json_pack("{s:{s:s}}", "artifactLocation", "uri", uri);

	free(uri);
	if (place->line > 0)
		json_object_set_new(physical, "region",
				    json_pack("{s:i}", "startLine", place->line));
	return json_pack("{s:o, s:[{s:s}]}", "physicalLocation", physical, "logicalLocations",
			 "fullyQualifiedName", place->name);
}

static const char *level_of(const struct gate_row *row)
{
	if (gate_row_is_error(row))
		return "error";
	return row->verdict == GATE_UNDECIDED ? "warning" : "note";
}

static json_t *result_object(const struct gate_row *row)
{
	const char *baseline = gate_verdicts[row->verdict].baseline;
	json_t *object = json_pack("{s:s, s:i, s:s, s:o, s:[o], s:{s:s}}", "ruleId", row->id,
				   "ruleIndex", (int)rule_index(row->id), "level", level_of(row),
				   "message", message_object(row->message), "locations",
				   location_object(&row->place), "partialFingerprints",
				   "streamtrace/v1", *row->identity ? row->identity : row->id);

	if (row->other.name)
		json_object_set_new(object, "relatedLocations",
				    json_pack("[o]", location_object(&row->other)));
	if (baseline)
		json_object_set_new(object, "baselineState", json_string(baseline));
	if (row->reason)
		json_object_set_new(object, "suppressions",
				    json_pack("[{s:s, s:s}]", "kind", "external", "justification",
					      row->reason));
	return object;
}

static json_t *notification_object(const struct gate_note *note)
{
	static const char *const levels[] = {"note", "warning", "warning", "error"};

	return json_pack("{s:s, s:o}", "level", levels[note->level], "message",
			 message_object(note->text));
}

/* What is gone is no result: readers that know no baseline would show it. */
static json_t *results_array(const struct gate *gate)
{
	json_t *results = json_array();

	for (size_t i = 0; i < gate->rows.count; i++)
		if (gate->rows.items[i].verdict != GATE_GONE)
			json_array_append_new(results, result_object(&gate->rows.items[i]));
	return results;
}

bool gate_print_sarif(FILE *out, const struct gate *gate)
{
	json_t *notifications = json_array(), *driver, *invocation;

	for (size_t i = 0; i < gate->notes.count; i++)
		json_array_append_new(notifications, notification_object(&gate->notes.items[i]));
	driver = json_pack("{s:s, s:s, s:o}", "name", "streamtrace", "version", STREAMTRACE_VERSION,
			   "rules", rules_array());
	invocation =
		json_pack("{s:b, s:o}", "executionSuccessful", gate->status != GATE_UNDETERMINED,
			  "toolExecutionNotifications", notifications);
	return print_json(out,
			  json_pack("{s:s, s:s, s:[{s:{s:o}, s:[o], s:o}]}", "$schema", SCHEMA,
				    "version", "2.1.0", "runs", "tool", "driver", driver,
				    "invocations", invocation, "results", results_array(gate)));
}
