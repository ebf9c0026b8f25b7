#include "mcp/answer.h"

#include "base/memory.h"
#include "base/mix.h"
#include "base/printable.h"
#include "mcp/paging.h"
#include "mcp/process.h"
#include "mcp/recorded.h"
#include "mcp/tool_words.h"
#include "mcp/tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of a stranger's, without its end; NULL: it is empty. */
static json_t *safe_line(const char *bytes, size_t size)
{
	char *line = memory_array(size + 1, 1);
	json_t *text;

	for (size_t i = 0; i < size; i++)
		line[i] = (char)(bytes[i] == '\t' || !bytes[i] ? ' ' : bytes[i]);
	printable_make(line);
	text = *line ? json_string(line) : NULL;
	free(line);
	return text;
}

static json_t *safe_lines(const struct kept *kept)
{
	json_t *lines = json_array();
	size_t start = 0;

	while (start < kept->size) {
		const char *begin = kept->bytes + start;
		const char *end = memchr(begin, '\n', kept->size - start);
		const size_t size = end ? (size_t)(end - begin) : kept->size - start;
		json_t *line = safe_line(begin, size);

		if (line)
			json_array_append_new(lines, line);
		start += size + 1;
	}
	return lines;
}

/* The array's texts as lines of one. Releases the array. */
static char *join_lines(json_t *lines)
{
	char *text = memory_format("%s", ""), *longer;

	for (size_t i = 0; i < json_array_size(lines); i++) {
		longer = memory_format("%s%s%s", text, i ? "\n" : "",
				       json_string_value(json_array_get(lines, i)));
		free(text);
		text = longer;
	}
	json_decref(lines);
	return text;
}

json_t *answer_messages(const struct process *process)
{
	return safe_lines(&process->messages);
}

/* text, structured: new references, which are taken. */
static json_t *make_answer(json_t *text, json_t *structured, bool is_error)
{
	json_t *result = json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text", text,
				   "isError", is_error);

	if (structured)
		json_object_set_new(result, "structuredContent", structured);
	return result;
}

json_t *answer_refused(const char *why)
{
	return make_answer(safe_line(why, strlen(why)), NULL, true);
}

/* The answer's text is its JSON. Takes `structured`. */
static json_t *make_json_answer(json_t *structured, bool is_error)
{
	char *dumped = json_dumps(structured, JSON_COMPACT);
	json_t *text = json_string(dumped);

	free(dumped);
	return make_answer(text, structured, is_error);
}

static uint64_t hash_of(const struct kept *output)
{
	uint64_t hash = output->size;

	for (size_t i = 0; i < output->size; i++)
		hash = mix(hash, (unsigned char)output->bytes[i]);
	return hash;
}

/* False: the cursor is none of this output's. */
static bool read_cursor(const char *cursor, uint64_t hash, size_t *offset)
{
	uint64_t other;
	int length = 0;

	*offset = 0;
	return !cursor || (sscanf(cursor, "%zu.%16" SCNx64 "%n", offset, &other, &length) == 2 &&
			   !cursor[length] && other == hash);
}

static void add_cursor(json_t *structured, size_t next, uint64_t hash)
{
	char cursor[64];

	if (!next)
		return;
	snprintf(cursor, sizeof(cursor), "%zu.%016" PRIx64, next, hash);
	json_object_set_new(structured, "next_cursor", json_string(cursor));
}

static json_t *answer_json(json_t *structured, json_t *whole, size_t offset, uint64_t hash,
			   bool is_failure)
{
	size_t next;

	json_object_set_new(structured, offset ? "more" : "result",
			    paging_of_json(whole, offset, &next));
	json_decref(whole);
	add_cursor(structured, next, hash);
	return make_json_answer(structured, is_failure);
}

static json_t *answer_text(json_t *structured, const struct kept *output, size_t offset,
			   uint64_t hash)
{
	size_t next;
	const size_t size = paging_of_text(output->bytes, output->size, offset, &next);
	json_t *text = json_stringn(output->size ? output->bytes + offset : "", size);

	/* It names a file in no UTF-8. */
	if (!text)
		text = json_string("");
	json_object_set_new(structured, "text", text);
	add_cursor(structured, next, hash);
	/* Who is shown only the text must know that it goes on. */
	if (next)
		text = json_sprintf("%s(goes on: call again with cursor %s)\n",
				    json_string_value(text),
				    json_string_value(json_object_get(structured, "next_cursor")));
	else
		json_incref(text);
	return make_answer(text, structured, false);
}

/* The process failed: what it said is the answer. Takes `structured`. */
static json_t *answer_failure(json_t *structured, const struct process *process)
{
	char *text = join_lines(answer_messages(process));
	json_t *answer = make_answer(
		*text ? json_string(text)
		      : json_sprintf("the command ended with status %d", process->status),
		structured, true);

	free(text);
	return answer;
}

static json_t *answer_recording(json_t *structured, const struct tool_words *words,
				const struct process *process)
{
	char *output = join_lines(safe_lines(&process->output));
	json_t *traces = recorded_traces(words->folder);
	const bool is_error = json_array_size(traces) == 0;

	if (!is_error)
		json_object_set_new(structured, "folder", json_string(words->folder));
	json_object_set_new(structured, "traces", traces);
	json_object_set_new(structured, "output", json_string(output));
	free(output);
	return make_json_answer(structured, is_error);
}

json_t *answer_of_tool(const struct tool *tool, const struct tool_words *words,
		       const struct process *process, bool is_failure)
{
	const struct kept *output = &process->output;
	const uint64_t hash = hash_of(output);
	json_t *whole, *structured = json_pack("{s:i, s:o}", "status", process->status, "messages",
					       answer_messages(process));
	size_t offset;

	if (tool->runs_program)
		return answer_recording(structured, words, process);
	whole = words->has_json && !output->is_cut && output->size
			? json_loadb(output->bytes, output->size, 0, NULL)
			: NULL;
	if (!output->is_cut && !whole && (words->has_json || is_failure))
		return answer_failure(structured, process);
	if (output->is_cut || !read_cursor(words->cursor, hash, &offset) || offset > output->size) {
		json_decref(whole);
		json_decref(structured);
		return answer_refused(
			output->is_cut ? "the answer is too large: choose less of it"
				       : "the cursor is of another answer: begin without one");
	}
	return words->has_json ? answer_json(structured, whole, offset, hash, is_failure)
			       : answer_text(structured, output, offset, hash);
}
