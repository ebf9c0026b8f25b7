#include "gate/saved_runs.h"

#include "gate/command_words.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *optional_text(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *texts_array(const char *const *texts, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_string(texts[i]));
	return array;
}

static json_int_t clip_bytes(uint64_t bytes)
{
	return bytes > INT64_MAX ? INT64_MAX : (json_int_t)bytes;
}

/* A line of an array, which is released. */
static bool put_line(FILE *out, json_t *line, bool is_first)
{
	char *text = json_dumps(line, JSON_COMPACT);
	bool ok = text;

	if (ok)
		fprintf(out, "%s%s", is_first ? "\n" : ",\n", text);
	free(text);
	json_decref(line);
	return ok;
}

static json_t *finding_line(const struct gate_finding *finding)
{
	return json_pack(
		"{s:s, s:s, s:o, s:i, s:s, s:I, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, "
		"s:b, s:b, "
		"s:o}",
		"id", finding->id, "place", finding->place, "file", optional_text(finding->at.file),
		"line", finding->at.line, "name", finding->at.name, "number",
		(json_int_t)finding->number, "pass", finding->pass, "times",
		(json_int_t)finding->count, "bytes", clip_bytes(finding->bytes), "low_ns",
		(json_int_t)finding->low_ns, "saved_ns", (json_int_t)finding->saved_ns, "high_ns",
		(json_int_t)finding->high_ns, "all_low_ns", (json_int_t)finding->all_saved.low_ns,
		"all_saved_ns", (json_int_t)finding->all_saved.estimate_ns, "all_high_ns",
		(json_int_t)finding->all_saved.high_ns, "is_shown", finding->is_shown, "is_further",
		finding->is_further, "is_address", finding->is_address, "kinds",
		texts_array(finding->kinds.items, finding->kinds.count));
}

static json_t *calls_line(const struct place_calls *calls)
{
	return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "place", calls->place, "kind",
			 calls->kind, "calls", (json_int_t)calls->calls, "bytes",
			 clip_bytes(calls->bytes), "keys", (json_int_t)calls->keys, "streams",
			 (json_int_t)calls->streams);
}

/* All but the arrays, without the last brace. */
static bool put_facts(FILE *out, const struct gate_run *run, bool is_first)
{
	json_t *facts = json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:o}", "trace",
		command_file_name(run->path), "program", optional_text(run->program), "arguments",
		optional_text(run->words), "device", optional_text(run->device), "driver_version",
		optional_text(run->driver), "rank", optional_text(run->rank), "untraced_ns",
		(json_int_t)run->untraced_ns, "lead_ns", (json_int_t)run->lead_ns, "tail_ns",
		(json_int_t)run->tail_ns, "has_estimates", run->has_estimates, "low_ns",
		(json_int_t)run->lost.low_ns, "saved_ns", (json_int_t)run->lost.estimate_ns,
		"high_ns", (json_int_t)run->lost.high_ns, "doubts",
		texts_array(run->doubts.items, run->doubts.count));
	char *text = json_dumps(facts, JSON_COMPACT);
	bool ok = text;

	if (ok)
		fprintf(out, "%s%.*s", is_first ? "" : ",\n", (int)strlen(text) - 1, text);
	free(text);
	json_decref(facts);
	return ok;
}

static bool put_run(FILE *out, const struct gate_run *run, bool is_first)
{
	bool ok = put_facts(out, run, is_first);

	fputs(",\n\"findings\":[", out);
	for (size_t i = 0; ok && i < run->findings.count; i++)
		ok = put_line(out, finding_line(&run->findings.items[i]), !i);
	fputs("],\n\"calls\":[", out);
	for (size_t i = 0; ok && i < run->calls.count; i++)
		ok = put_line(out, calls_line(&run->calls.items[i]), !i);
	fputs("],\n\"work\":[", out);
	for (size_t i = 0; ok && i < run->work.count; i++)
		ok = put_line(out,
			      json_pack("{s:s, s:I}", "name", run->work.items[i].name, "operations",
					(json_int_t)run->work.items[i].operations),
			      !i);
	fputs("]}", out);
	return ok;
}

bool saved_runs_write(FILE *out, const struct gate_run *const *runs, size_t count)
{
	bool ok = true;

	fputs("{\"streamtrace_baseline\":1,\"runs\":[\n", out);
	for (size_t i = 0; ok && i < count; i++)
		ok = put_run(out, runs[i], !i);
	fputs("\n]}\n", out);
	return ok;
}

void saved_runs_free(struct saved_runs *saved)
{
	for (size_t i = 0; i < saved->count; i++)
		gate_run_free(saved->runs[i]);
	free(saved->runs);
	*saved = (struct saved_runs){0};
}
