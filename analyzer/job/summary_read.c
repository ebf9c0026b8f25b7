/* A summary from bytes that are not trusted. */
#include "base/vector.h"
#include "facts/format.h"
#include "findings/idle.h"
#include "job/summary.h"
#include "job/summary_times.h"
#include "trace/database.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct database_kind kind = {"summary", FORMAT_SUMMARY_APPLICATION_ID,
					  FORMAT_SUMMARY_MAJOR};

/* As in summary.sql. */
#define FIRST_FORMAT 1000

/* Sums of a few stay far from an overflow. */
#define LONGEST_NS (INT64_MAX / 4)

struct reading {
	struct database database;
	struct summary *summary;
};

static const char *keep_text(struct reading *reading, const char *text)
{
	return text ? arena_text(&reading->summary->texts, text) : NULL;
}

static const char *read_text(struct reading *reading, struct query *query, int column)
{
	return keep_text(reading, query_text(query, column));
}

static const char *read_optional(struct reading *reading, struct query *query, int column)
{
	return keep_text(reading, query_optional_text(query, column));
}

/* The number in a text, which is from low to high; else absent. */
static int64_t number_in(const char *text, int64_t low, int64_t high, int64_t absent)
{
	char *end;
	long long number;

	errno = 0;
	number = strtoll(text, &end, 10);
	return errno || end == text || *end || number < low || number > high ? absent : number;
}

static void take_fact(struct reading *reading, const char *key, const char *value)
{
	struct summary *summary = reading->summary;
	const struct {
		const char *key, **text;
	} texts[] = {
		{"trace", &summary->trace},
		{"program", &summary->program},
		{"host", &summary->host},
		{"run", &summary->run},
		{"gpu", &summary->gpu},
		{"boot_id", &summary->boot_id},
		{"traced_by", &summary->traced_by},
		{"incident", &summary->incident.text},
		{"incident_why", &summary->incident.why},
	};
	const struct {
		const char *key;
		int64_t *number, high, absent;
	} numbers[] = {
		{"process_id", &summary->process_id, INT32_MAX, -1},
		{"rank", &summary->rank, INT32_MAX, SUMMARY_NO_RANK},
		{"local_rank", &summary->local_rank, INT32_MAX, SUMMARY_NO_RANK},
		{"ranks", &summary->ranks, INT32_MAX, 0},
		{"start_ns", &summary->start_ns, INT64_MAX / 2, 0},
		{"end_ns", &summary->end_ns, INT64_MAX / 2, 0},
		{"first_ns", &summary->first_ns, INT64_MAX / 2, 0},
		{"last_ns", &summary->last_ns, INT64_MAX / 2, 0},
		{"calls", (int64_t *)&summary->call_count, LONGEST_NS, 0},
		{"operations", (int64_t *)&summary->operation_count, LONGEST_NS, 0},
		{"incident_step", &summary->incident.step, INT64_MAX, -1},
		{"incident_step_ns", &summary->incident.step_ns, LONGEST_NS, -1},
		{"incident_extra_ns", &summary->incident.extra_ns, LONGEST_NS, -1},
		{"incident_own_ns", &summary->incident.own_ns, LONGEST_NS, -1},
		{"incident_late_ns", &summary->incident.late_ns, LONGEST_NS, -1},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(key, texts[i].key))
			*texts[i].text = keep_text(reading, value);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strcmp(key, numbers[i].key))
			*numbers[i].number =
				number_in(value, 0, numbers[i].high, numbers[i].absent);
	if (!strcmp(key, "untraced")) {
		summary->has_untraced = true;
		summary->has_untraced_cupti = !strcmp(value, "cupti");
	}
	summary->has_estimates &= strcmp(key, "estimates") != 0;
	summary->is_sample |= !strcmp(key, "sample");
}

static void read_facts(struct reading *reading)
{
	struct query query;

	query_open(&query, &reading->database, "metadata", "SELECT key, value FROM metadata");
	while (query_next(&query)) {
		/* The first text may go with the second. */
		char *key = memory_format("%s", query_text(&query, 0));

		take_fact(reading, key, query_text(&query, 1));
		free(key);
	}
	query_close(&query);
}

static void read_devices(struct reading *reading)
{
	VECTOR(struct summary_device) devices = {0};
	struct query query;

	query_open(&query, &reading->database, "devices",
		   "SELECT id, name FROM devices ORDER BY id");
	while (devices.count < SUMMARY_DEVICES && query_next(&query)) {
		*vector_add(&devices) = (struct summary_device){
			.id = (uint32_t)query_integer(&query, 0, 0, UINT32_MAX),
			.name = read_optional(reading, &query, 1)};
		if (devices.count > 1 &&
		    devices.items[devices.count - 2].id == devices.items[devices.count - 1].id)
			query_fail(&query, "the device comes twice");
	}
	query_close(&query);
	vector_move(&devices, reading->summary->devices, reading->summary->device_count);
}

static void take_time(struct reading *reading, struct summary_times *all, int64_t device,
		      size_t word, int64_t ns)
{
	struct summary *summary = reading->summary;

	if (device < 0)
		*summary_time_at(all, word) = ns;
	for (size_t i = 0; i < summary->device_count; i++) {
		struct summary_device *at = &summary->devices[i];
		struct summary_times times = {
			.wall_ns = at->wall_ns, .lost = at->lost, .load = at->load};

		if (at->id != device)
			continue;
		*summary_time_at(&times, word) = ns;
		at->wall_ns = times.wall_ns;
		at->lost = times.lost;
		at->load = times.load;
	}
}

static void read_times(struct reading *reading)
{
	struct summary *summary = reading->summary;
	struct summary_times all = {0};
	struct query query;

	query_open(&query, &reading->database, "times", "SELECT device_id, what, ns FROM times");
	while (query_next(&query)) {
		int64_t device = query_optional(&query, 0, 0, UINT32_MAX, -1);
		size_t word = summary_time_find(query_text(&query, 1));

		if (word != SIZE_MAX)
			take_time(reading, &all, device, word,
				  query_integer(&query, 2, summary_time_least(word), LONGEST_NS));
	}
	query_close(&query);
	summary->wall_ns = all.wall_ns;
	summary->untraced_ns = all.untraced_ns;
	summary->replayed_ns = all.replayed_ns;
	summary->lost = all.lost;
	summary->load = all.load;
}

static struct summary_finding read_finding(struct reading *reading, struct query *query)
{
	return (struct summary_finding){
		.number = (uint32_t)query_integer(query, 0, 1, INT32_MAX),
		.id = read_text(reading, query, 1),
		.title = read_text(reading, query, 2),
		.fix = read_text(reading, query, 3),
		.relies_on = read_optional(reading, query, 4),
		.price = read_optional(reading, query, 5),
		.cost = read_text(reading, query, 6),
		.where = read_text(reading, query, 7),
		.function = read_optional(reading, query, 8),
		.evidence = read_optional(reading, query, 9),
		.pass = (uint32_t)query_integer(query, 10, 1, INT32_MAX),
		.count = (uint64_t)query_integer(query, 11, 0, LONGEST_NS),
		.blocked_ns = query_integer(query, 12, 0, LONGEST_NS),
		.lost = {query_integer(query, 13, 0, LONGEST_NS),
			 query_integer(query, 14, 0, LONGEST_NS),
			 query_integer(query, 15, 0, LONGEST_NS)},
		.is_folded = query_integer(query, 16, 0, 1),
		.is_bound = query_integer(query, 17, 0, 1),
		.costs_ns = query_integer(query, 18, 0, LONGEST_NS),
	};
}

/* A file of format 1.0 lacks the last two columns. */
#define SELECT_FINDINGS(last_columns)                                                              \
	"SELECT number, id, title, fix, relies_on, price, cost, place, function, evidence, "       \
	"pass, times, blocked_ns, low_ns, saved_ns, high_ns, is_folded, " last_columns             \
	" FROM findings ORDER BY number"

static void read_findings(struct reading *reading)
{
	const bool is_first_format = reading->database.schema_version == FIRST_FORMAT;
	VECTOR(struct summary_finding) findings = {0};
	struct query query;

	query_open(&query, &reading->database, "findings",
		   is_first_format ? SELECT_FINDINGS("0, 0")
				   : SELECT_FINDINGS("is_bound, costs_ns"));
	while (findings.count < SUMMARY_FINDINGS && query_next(&query)) {
		*vector_add(&findings) = read_finding(reading, &query);
		if (findings.count > 1 && findings.items[findings.count - 2].number ==
						  findings.items[findings.count - 1].number)
			query_fail(&query, "the finding comes twice");
	}
	query_close(&query);
	vector_move(&findings, reading->summary->findings, reading->summary->finding_count);
}

/* IDLE_CAUSE_COUNT: none has that word. */
static enum idle_cause cause_of(const char *word)
{
	for (int cause = 0; cause < IDLE_CAUSE_COUNT; cause++)
		if (!strcmp(word, idle_cause_word((enum idle_cause)cause)))
			return (enum idle_cause)cause;
	return IDLE_CAUSE_COUNT;
}

static void read_idle_lines(struct reading *reading)
{
	VECTOR(struct summary_idle_line) lines = {0};
	struct query query;

	query_open(
		&query, &reading->database, "idle_lines",
		"SELECT cause, place, function, came_from, ns, gaps FROM idle_lines ORDER BY id");
	while (lines.count < SUMMARY_IDLE_LINES && query_next(&query)) {
		struct summary_idle_line line = {.cause = cause_of(query_text(&query, 0))};

		line.where = read_text(reading, &query, 1);
		line.function = read_optional(reading, &query, 2);
		line.from = read_optional(reading, &query, 3);
		line.ns = query_integer(&query, 4, 0, LONGEST_NS);
		line.gaps = (uint64_t)query_integer(&query, 5, 0, LONGEST_NS);
		if (line.cause != IDLE_CAUSE_COUNT)
			*vector_add(&lines) = line;
	}
	query_close(&query);
	vector_move(&lines, reading->summary->idle_lines, reading->summary->idle_line_count);
}

static void read_communicators(struct reading *reading)
{
	VECTOR(struct summary_communicator) all = {0};
	struct query query;

	query_open(&query, &reading->database, "communicators",
		   "SELECT unique_id, rank, ranks, device_id, collectives, matched "
		   "FROM communicators ORDER BY id");
	while (all.count < SUMMARY_COMMUNICATORS && query_next(&query))
		*vector_add(&all) = (struct summary_communicator){
			.unique_id = strtoull(query_text(&query, 0), NULL, 16),
			.rank = (uint32_t)query_integer(&query, 1, 0, UINT32_MAX),
			.ranks = (uint32_t)query_integer(&query, 2, 0, UINT32_MAX),
			.device_id = (uint32_t)query_integer(&query, 3, 0, UINT32_MAX),
			.collectives = (uint64_t)query_integer(&query, 4, 0, LONGEST_NS),
			.matched = (uint64_t)query_integer(&query, 5, 0, LONGEST_NS)};
	query_close(&query);
	vector_move(&all, reading->summary->communicators, reading->summary->communicator_count);
}

/* Whether the model is of one rank and has at most as many fixes as a summary: replaying it is then cheap,
 * and sums over ranks stay in the range of paths.h. */
static bool is_of_rank(const struct paths *paths)
{
	return paths->ranks == 1 && paths->kernels <= UINT32_MAX &&
	       paths->all_kernels <= UINT32_MAX && paths->group_count <= SUMMARY_FIXES + 1;
}

static void take_packed(struct reading *reading, struct query *query, const char *what,
			size_t count, const void *bytes, size_t size)
{
	struct summary *summary = reading->summary;

	if (!strcmp(what, "arrivals") && !summary->arrivals) {
		summary->arrivals =
			arrivals_unpack(bytes, size, count, summary->communicator_count);
		summary->arrival_count = summary->arrivals ? count : 0;
		if (!summary->arrivals)
			query_fail(query, "the arrivals are damaged");
	} else if (!strcmp(what, "paths") && !summary->paths) {
		summary->paths = paths_unpack(bytes, size);
		if (!summary->paths || !is_of_rank(summary->paths))
			query_fail(query, "the paths are damaged");
	}
}

static void read_packed(struct reading *reading)
{
	struct query query;

	query_open(&query, &reading->database, "packed", "SELECT what, count, data FROM packed");
	while (query_next(&query)) {
		char *what = memory_format("%s", query_text(&query, 0));
		size_t count = (size_t)query_integer(&query, 1, 0, UINT32_MAX), size;
		const void *bytes = query_bytes(&query, 2, &size);

		if (bytes)
			take_packed(reading, &query, what, count, bytes, size);
		free(what);
	}
	query_close(&query);
}

static void read_notes(struct reading *reading)
{
	VECTOR(struct summary_note) notes = {0};
	struct query query;

	query_open(&query, &reading->database, "notes", "SELECT what, why FROM notes ORDER BY id");
	while (notes.count < SUMMARY_NOTES && query_next(&query)) {
		struct summary_note *note = vector_add(&notes);

		note->what = read_text(reading, &query, 0);
		note->why = read_text(reading, &query, 1);
	}
	query_close(&query);
	vector_move(&notes, reading->summary->notes, reading->summary->note_count);
}

/* The rest: all of the process but its facts. */
static void read_rest(struct reading *reading)
{
	read_devices(reading);
	read_times(reading);
	read_findings(reading);
	read_idle_lines(reading);
	read_communicators(reading);
	read_packed(reading);
	read_notes(reading);
}

/* Closes the database, which was opened. */
static struct summary *finish_reading(struct reading *reading, bool has_rest, char **error)
{
	struct summary *summary = reading->summary = memory_array(1, sizeof(*reading->summary));

	summary->process_id = -1;
	summary->rank = summary->local_rank = SUMMARY_NO_RANK;
	summary->incident.step = summary->incident.step_ns = summary->incident.extra_ns = -1;
	summary->incident.own_ns = summary->incident.late_ns = -1;
	summary->has_estimates = true;
	read_facts(reading);
	if (has_rest)
		read_rest(reading);
	if (!summary->trace)
		database_fail(&reading->database, "does not say of which trace it is");
	*error = database_close(&reading->database);
	if (!*error)
		return summary;
	summary_free(summary);
	return NULL;
}

struct summary *summary_from_bytes(const void *bytes, size_t size, char **error)
{
	struct reading reading;

	database_open_bytes(&reading.database, bytes, size, &kind);
	return finish_reading(&reading, true, error);
}

struct summary *summary_read_facts(const char *path, char **error)
{
	struct reading reading;

	database_open_kind(&reading.database, path, &kind);
	return finish_reading(&reading, false, error);
}
