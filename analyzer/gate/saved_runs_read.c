/* Runs from a file that is not trusted. */
#include "findings/detector_table.h"
#include "gate/gate_texts.h"
#include "gate/saved_runs.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Sums of a few stay far from an overflow. */
#define MOST_NUMBER (INT64_MAX / 4)

/* Of what is added for lines of one name: each line takes more than a byte of the file. */
#define MOST_COUNT (INT64_MAX / SAVED_RUNS_MOST_BYTES)

/* So many streams, and kinds of work, are never reached: 32 bits number streams. */
#define MOST_KEYS UINT32_MAX

struct reading {
	struct gate_run *run; /* that is being read */
	const char *wrong;    /* the first key that is missing or wrong; NULL: none */
};

static const json_t *value_of(struct reading *reading, const json_t *object, const char *key,
			      bool is_right)
{
	if (!is_right && !reading->wrong)
		reading->wrong = key;
	return is_right ? json_object_get(object, key) : NULL;
}

static const char *read_text(struct reading *reading, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	value = value_of(reading, object, key, json_is_string(value));
	return value ? arena_text(&reading->run->arena, json_string_value(value)) : "";
}

/* null: NULL. */
static const char *read_optional(struct reading *reading, const json_t *object, const char *key)
{
	return json_is_null(json_object_get(object, key)) ? NULL : read_text(reading, object, key);
}

static int64_t read_number(struct reading *reading, const json_t *object, const char *key,
			   int64_t least, int64_t most)
{
	const json_t *value = json_object_get(object, key);
	json_int_t number = json_integer_value(value);

	value = value_of(reading, object, key,
			 json_is_integer(value) && number >= least && number <= most);
	return value ? number : least;
}

static int64_t read_ns(struct reading *reading, const json_t *object, const char *key)
{
	return read_number(reading, object, key, -MOST_NUMBER, MOST_NUMBER);
}

static bool read_flag(struct reading *reading, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_true(value_of(reading, object, key, json_is_boolean(value)));
}

static const json_t *read_array(struct reading *reading, const json_t *object, const char *key)
{
	return value_of(reading, object, key, json_is_array(json_object_get(object, key)));
}

static void read_texts(struct reading *reading, const json_t *object, const char *key,
		       const char ***items, size_t *count)
{
	const json_t *array = read_array(reading, object, key);
	VECTOR(const char *) texts = {0};

	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *value = json_array_get(array, i);

		if (json_is_string(value))
			*vector_add(&texts) =
				arena_text(&reading->run->arena, json_string_value(value));
	}
	vector_move(&texts, *items, *count);
}

static const struct detector *find_detector(const char *id)
{
	for (size_t i = 0; detectors[i]; i++)
		if (!strcmp(detectors[i]->id, id))
			return detectors[i];
	return NULL;
}

static void read_finding(struct reading *reading, const json_t *line)
{
	struct gate_run *run = reading->run;
	const char *id = read_text(reading, line, "id");
	const struct detector *detector = find_detector(id);
	struct gate_finding *finding;

	if (!detector)
		return;
	finding = vector_add(&run->findings);
	*finding = (struct gate_finding){
		.id = detector->id,
		.title = detector->title,
		.fix = detector->fix,
		.place = read_text(reading, line, "place"),
		.at = {.file = read_optional(reading, line, "file"),
		       .line = (int)read_number(reading, line, "line", 0, INT32_MAX),
		       .name = read_text(reading, line, "name")},
		.evidence = "",
		.count = read_number(reading, line, "times", 0, MOST_NUMBER),
		.all_saved = {read_ns(reading, line, "all_low_ns"),
			      read_ns(reading, line, "all_saved_ns"),
			      read_ns(reading, line, "all_high_ns")},
		.number = (size_t)read_number(reading, line, "number", 1, INT32_MAX),
		.bytes = (uint64_t)read_number(reading, line, "bytes", 0, INT64_MAX),
		.saved_ns = read_ns(reading, line, "saved_ns"),
		.low_ns = read_ns(reading, line, "low_ns"),
		.high_ns = read_ns(reading, line, "high_ns"),
		.pass = (int)read_number(reading, line, "pass", 1, INT32_MAX),
		.is_shown = read_flag(reading, line, "is_shown"),
		.is_further = read_flag(reading, line, "is_further"),
		.is_address = read_flag(reading, line, "is_address"),
	};
	finding->identity = text_format(&run->arena, "%s %s", finding->id, finding->place);
	read_texts(reading, line, "kinds", &finding->kinds.items, &finding->kinds.count);
}

static void read_calls(struct reading *reading, const json_t *line)
{
	*vector_add(&reading->run->calls) = (struct place_calls){
		.place = read_text(reading, line, "place"),
		.kind = read_text(reading, line, "kind"),
		.calls = read_number(reading, line, "calls", 0, MOST_COUNT),
		.bytes = (uint64_t)read_number(reading, line, "bytes", 0, INT64_MAX),
		.keys = (size_t)read_number(reading, line, "keys", 1, MOST_KEYS),
		.streams = (size_t)read_number(reading, line, "streams", 0, MOST_KEYS),
	};
}

static void read_work(struct reading *reading, const json_t *line)
{
	*vector_add(&reading->run->work) = (struct work_count){
		.name = read_text(reading, line, "name"),
		.operations = read_number(reading, line, "operations", 1, MOST_COUNT),
	};
}

static void read_lines(struct reading *reading, const json_t *object, const char *key,
		       void (*read_line)(struct reading *, const json_t *))
{
	const json_t *array = read_array(reading, object, key);

	for (size_t i = 0; i < json_array_size(array); i++)
		read_line(reading, json_array_get(array, i));
}

static struct gate_run *read_run(struct reading *reading, const json_t *object, const char *name)
{
	struct gate_run *run = reading->run = memory_array(1, sizeof(*run));

	run->path = text_format(&run->arena, "%s (%s)", name, read_text(reading, object, "trace"));
	run->program = read_optional(reading, object, "program");
	run->words = read_optional(reading, object, "arguments");
	run->device = read_optional(reading, object, "device");
	run->driver = read_optional(reading, object, "driver_version");
	run->rank = read_optional(reading, object, "rank");
	run->untraced_ns = read_number(reading, object, "untraced_ns", 0, MOST_NUMBER);
	run->lead_ns = read_number(reading, object, "lead_ns", 0, MOST_NUMBER);
	if (json_object_get(object, "tail_ns")) /* older baselines have none */
		run->tail_ns = read_number(reading, object, "tail_ns", 0, MOST_NUMBER);
	run->has_estimates = read_flag(reading, object, "has_estimates");
	run->lost = (struct stated){read_ns(reading, object, "low_ns"),
				    read_ns(reading, object, "saved_ns"),
				    read_ns(reading, object, "high_ns")};
	run->lost_ns = run->has_estimates ? run->lost.estimate_ns : -1;
	read_texts(reading, object, "doubts", &run->doubts.items, &run->doubts.count);
	read_lines(reading, object, "findings", read_finding);
	read_lines(reading, object, "calls", read_calls);
	read_lines(reading, object, "work", read_work);
	gate_run_sort(run);
	places_sort_calls(&run->calls);
	scale_sort(&run->work);
	return run;
}

static bool read_runs(struct saved_runs *saved, const char *name, const json_t *root, char **error)
{
	const json_t *version = json_object_get(root, "streamtrace_baseline");
	const json_t *array = json_object_get(root, "runs");
	VECTOR(struct gate_run *) runs = {0};
	struct reading reading = {0};

	if (!json_is_integer(version))
		*error = memory_format("is not a baseline");
	else if (json_integer_value(version) != 1)
		*error = memory_format("was written by a newer version of streamtrace");
	else
		for (size_t i = 0; i < json_array_size(array); i++)
			*vector_add(&runs) = read_run(&reading, json_array_get(array, i), name);
	vector_move(&runs, saved->runs, saved->count);
	if (!*error && reading.wrong)
		*error = memory_format("is damaged: '%s' is missing or wrong", reading.wrong);
	else if (!*error && !saved->count)
		*error = memory_format("has no runs");
	return !*error;
}

bool saved_runs_read(struct saved_runs *saved, const char *name, const char *text, size_t size,
		     char **error)
{
	json_error_t wrong;
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong);
	struct arena arena = {0};
	bool ok = false;

	*saved = (struct saved_runs){0};
	*error = NULL;
	if (root)
		ok = read_runs(saved, name, root, error);
	else
		*error = memory_format("line %d: %s", wrong.line, arena_text(&arena, wrong.text));
	arena_free(&arena);
	json_decref(root);
	return ok;
}
