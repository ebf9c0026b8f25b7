/* What a client of `streamtrace mcp` sends. No process is started: without a root each call is refused. */
#include "targets.h"

#include "checks.h"
#include "base/memory.h"
#include "mcp/lines.h"
#include "mcp/message.h"
#include "mcp/resources.h"
#include "mcp/server.h"
#include "mcp/tool_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *describe_nothing(const char *command, const char *option)
{
	return memory_format("%s %s", command, option);
}

static bool is_no_answer(int status)
{
	return status != 0;
}

/* Each line is a message of JSON, safe to print. */
static void check_answers(const char *text, size_t size)
{
	while (size) {
		const char *end = memchr(text, '\n', size);
		json_t *message;

		fuzz_require(end, "no end of a line", "");
		message = json_loadb(text, (size_t)(end - text), 0, NULL);
		fuzz_require(message != NULL, "no JSON", text);
		json_decref(message);
		size -= (size_t)(end - text) + 1;
		text = end + 1;
	}
}

/* In two pieces, as a pipe may give them. */
static void serve(const uint8_t *bytes, size_t size)
{
	const struct roots roots = {0};
	const struct server_options options = {.roots = &roots,
					       .runs_programs = true,
					       .help = describe_nothing,
					       .is_failure = is_no_answer};
	char *text = NULL;
	size_t text_size = 0;
	FILE *out = open_memstream(&text, &text_size);
	struct server *server = server_make(&options, out);

	server_take(server, (const char *)bytes, size / 2);
	server_take(server, (const char *)bytes + size / 2, size - size / 2);
	server_take(server, "\n", 1);
	server_free(server);
	fclose(out);
	check_answers(text, text_size);
	free(text);
}

/* The command lines of the tools that only read, and what their paths are resolved to. */
static void make_words(const json_t *params, const struct roots *roots)
{
	static const char *const names[] = {"report", "explain", "whatif", "diff", "check", "info"};
	json_t *arguments = json_object_get(params, "arguments");
	const char *uri = json_string_value(json_object_get(params, "uri"));

	for (size_t i = 0; json_is_object(arguments) && i < sizeof(names) / sizeof(*names); i++) {
		struct tool_words words = {0};
		char *why = NULL;
		bool is_made = tool_words_make(&words, tool_find(names[i]), arguments, roots, &why);

		fuzz_require(is_made == !why, "an error, or none", "");
		fuzz_require(!is_made || words.words.count > 2, "no words", "");
		free(why);
		tool_words_free(&words);
	}
	if (uri) {
		struct tool_words words = {0};
		char *why = NULL;
		bool is_made = resources_words(uri, roots, &words, &why) != NULL;
		struct roots more = {0};

		fuzz_require(is_made == !why, "an error, or none", uri);
		free(why);
		tool_words_free(&words);
		(void)roots_add_uri(&more, uri);
		roots_free(&more);
	}
}

void fuzz_run_mcp(const uint8_t *bytes, size_t size)
{
	struct roots roots = {0};
	struct lines lines = {0};
	const char *line;
	size_t length;

	serve(bytes, size);
	roots_add(&roots, "/proc/self");
	lines_add(&lines, (const char *)bytes, size);
	lines_add(&lines, "\n", 1);
	while (lines_next(&lines, &line, &length) == LINE_WHOLE) {
		struct message message;
		const char *why;

		if (!message_read(&message, line, length, &why) && message.params)
			make_words(message.params, &roots);
		message_free(&message);
	}
	lines_free(&lines);
	roots_free(&roots);
}
