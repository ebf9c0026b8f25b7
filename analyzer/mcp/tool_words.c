#include "mcp/tool_words.h"

#include "facts/check.h"
#include "mcp/tools.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Folders of recordings in one place. */
#define MOST_FOLDERS 10000

/* What is being made. */
struct making {
	struct tool_words *words;
	const struct roots *roots;
	word_vector operands;
	char *why; /* what is wrong; NULL: nothing */
};

static bool say_wrong(struct making *making, const struct tool_argument *row, const char *must)
{
	making->why = memory_format("%s must be %s", row->name, must);
	return false;
}

static bool add_option(struct making *making, const struct tool_argument *row, const char *value)
{
	*vector_add(&making->words->words) = value ? memory_format("--%s=%s", row->option, value)
						   : memory_format("--%s", row->option);
	return true;
}

static bool add_operand(struct making *making, char *operand)
{
	if (operand)
		*vector_add(&making->operands) = operand;
	return operand != NULL;
}

/* The array's i-th text; NULL: it is none, which is said. */
static const char *text_at(struct making *making, const struct tool_argument *row,
			   const json_t *array, size_t i)
{
	const char *text = json_string_value(json_array_get(array, i));

	if (!text)
		say_wrong(making, row, "an array of texts");
	return text;
}

static bool add_traces(struct making *making, const struct tool_argument *row, const json_t *value)
{
	if (row->option)
		add_operand(making, memory_format("%s", row->option));
	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *name = text_at(making, row, value, i);

		if (!name || !add_operand(making, roots_find(making->roots, name, &making->why)))
			return false;
	}
	return json_array_size(value) || say_wrong(making, row, "an array of traces");
}

static bool add_words(struct making *making, const struct tool_argument *row, const json_t *value)
{
	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *word = text_at(making, row, value, i);

		if (!word || !add_operand(making, memory_format("%s", word)))
			return false;
	}
	return json_array_size(value) || say_wrong(making, row, "a program and its arguments");
}

static bool add_list(struct making *making, const struct tool_argument *row, const json_t *value)
{
	char *list = memory_format("%s", ""), *longer;

	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *text = text_at(making, row, value, i);

		if (!text) {
			free(list);
			return false;
		}
		longer = memory_format("%s%s%s", list, i ? "," : "", text);
		free(list);
		list = longer;
	}
	if (*list)
		add_option(making, row, list);
	else
		say_wrong(making, row, "an array of texts");
	free(list);
	return !making->why;
}

static bool add_file(struct making *making, const struct tool_argument *row, const char *name)
{
	char *path = roots_find(making->roots, name, &making->why);

	if (path)
		add_option(making, row, path);
	free(path);
	return path != NULL;
}

static bool add_format(struct making *making, const struct tool_argument *row, const char *format)
{
	const struct check formats = {.words = row->words};

	if (check_word(&formats, format) < 0)
		return say_wrong(making, row, row->words);
	making->words->has_json = !strcmp(format, "json");
	return add_option(making, row, format);
}

static bool add_number(struct making *making, const struct tool_argument *row, const json_t *value)
{
	const json_int_t number = json_integer_value(value);
	char *text;

	if (!json_is_integer(value) || number < (row->kind == ARGUMENT_SECONDS))
		return say_wrong(making, row, "a whole number, and not negative");
	if (row->kind == ARGUMENT_SECONDS) {
		if (number > INT32_MAX)
			return say_wrong(making, row, "less");
		making->words->timeout_ms = (int64_t)number * 1000;
		return true;
	}
	text = memory_format("%" JSON_INTEGER_FORMAT, number);
	add_option(making, row, text);
	free(text);
	return true;
}

/* `run` would take a percent sign for a field. */
static bool make_folder(struct making *making, const struct tool_argument *row, const char *name)
{
	char *path;

	if (strchr(name, '%'))
		return say_wrong(making, row, "without a percent sign");
	path = roots_find_new(making->roots, name, &making->why);
	if (!path)
		return false;
	if (mkdir(path, 0777)) {
		making->why = memory_format("%s: %s", name, strerror(errno));
		free(path);
		return false;
	}
	making->words->folder = path;
	return true;
}

static bool choose_directory(struct making *making, const struct tool_argument *row,
			     const char *name)
{
	struct stat status;
	char *path = roots_find(making->roots, name, &making->why);

	if (path && (stat(path, &status) || !S_ISDIR(status.st_mode))) {
		free(path);
		return say_wrong(making, row, "a folder");
	}
	free(making->words->directory);
	making->words->directory = path;
	return path != NULL;
}

static bool add_text(struct making *making, const struct tool_argument *row, const char *text)
{
	if (!text)
		return say_wrong(making, row, "a text");
	switch (row->kind) {
	case ARGUMENT_TRACE:
		return add_operand(making, roots_find(making->roots, text, &making->why));
	case ARGUMENT_FILE:
		return add_file(making, row, text);
	case ARGUMENT_FORMAT:
		return add_format(making, row, text);
	case ARGUMENT_FOLDER:
		return choose_directory(making, row, text);
	case ARGUMENT_NEW:
		return make_folder(making, row, text);
	case ARGUMENT_CURSOR:
		making->words->cursor = text;
		return true;
	default:
		return row->option ? add_option(making, row, text)
				   : add_operand(making, memory_format("%s", text));
	}
}

static bool add_argument(struct making *making, const struct tool_argument *row, json_t *value)
{
	switch (row->kind) {
	case ARGUMENT_TRACES:
		return add_traces(making, row, value);
	case ARGUMENT_LIST:
		return add_list(making, row, value);
	case ARGUMENT_WORDS:
		return add_words(making, row, value);
	case ARGUMENT_NUMBER:
	case ARGUMENT_SECONDS:
		return add_number(making, row, value);
	case ARGUMENT_FLAG:
		if (!json_is_boolean(value))
			return say_wrong(making, row, "true or false");
		return !json_is_true(value) || add_option(making, row, NULL);
	default:
		return add_text(making, row, json_string_value(value));
	}
}

static bool has_row(const struct tool *tool, const char *name)
{
	const struct tool_argument *row = tool->arguments;

	while (row->name && strcmp(row->name, name) != 0)
		row++;
	return row->name;
}

/* Folders are made last, when all else is right. */
static bool add_arguments(struct making *making, const struct tool *tool, json_t *arguments,
			  bool makes_folders)
{
	for (const struct tool_argument *row = tool->arguments; row->name; row++) {
		json_t *value = json_object_get(arguments, row->name);

		if (makes_folders != (row->kind == ARGUMENT_NEW))
			continue;
		if (!value && row->is_needed)
			making->why = memory_format("%s needs %s", tool->name, row->name);
		if (making->why || (value && !add_argument(making, row, value)))
			return false;
	}
	return true;
}

/* The first free name of streamtrace-1, streamtrace-2, ... */
static bool make_some_folder(struct making *making)
{
	for (int number = 1; number <= MOST_FOLDERS; number++) {
		char *path = memory_format("%s/streamtrace-%d", making->words->directory, number);

		if (!mkdir(path, 0777)) {
			making->words->folder = path;
			return true;
		}
		free(path);
		if (errno != EEXIST)
			break;
	}
	making->why = memory_format("%s: no folder for traces can be made there: %s",
				    making->words->directory, strerror(errno));
	return false;
}

static bool add_folder(struct making *making, const struct tool *tool, json_t *arguments)
{
	if (!tool->runs_program)
		return true;
	if (!add_arguments(making, tool, arguments, true) ||
	    (!making->words->folder && !make_some_folder(making)))
		return false;
	*vector_add(&making->words->words) = memory_format("--output=%s/", making->words->folder);
	return true;
}

/* "--source-folders=A\nB", without roots that have a newline themselves. */
static char *source_option(const struct roots *roots)
{
	char *option = memory_format("--source-folders="), *longer;

	for (size_t i = 0; i < roots->folders.count; i++) {
		if (strchr(roots->folders.items[i], '\n'))
			continue;
		longer = memory_format("%s%s\n", option, roots->folders.items[i]);
		free(option);
		option = longer;
	}
	return option;
}

static bool fill_words(struct making *making, const struct tool *tool, json_t *arguments)
{
	word_vector *words = &making->words->words;

	for (void *place = json_object_iter(arguments); place;
	     place = json_object_iter_next(arguments, place))
		if (!has_row(tool, json_object_iter_key(place))) {
			making->why = memory_format("%s has no argument %s", tool->name,
						    json_object_iter_key(place));
			return false;
		}
	*vector_add(words) = memory_format("streamtrace");
	*vector_add(words) = memory_format("%s", tool->command);
	for (size_t i = 0; tool->options[i]; i++)
		*vector_add(words) = memory_format("%s", tool->options[i]);
	if (tool->reads_sources)
		*vector_add(words) = source_option(making->roots);
	if (tool->has_json)
		*vector_add(words) = memory_format("--format=json");
	if (!add_arguments(making, tool, arguments, false) || !add_folder(making, tool, arguments))
		return false;
	*vector_add(words) = memory_format("--");
	for (size_t i = 0; i < making->operands.count; i++)
		*vector_add(words) = making->operands.items[i];
	making->operands.count = 0;
	*vector_add(words) = NULL;
	return true;
}

bool tool_words_make(struct tool_words *words, const struct tool *tool, json_t *arguments,
		     const struct roots *roots, char **why)
{
	struct making making = {.words = words, .roots = roots};
	bool is_made;

	if (!roots->folders.count) {
		*why = memory_format("there is no root: start the server with --root");
		return false;
	}
	words->has_json = tool->has_json;
	words->directory = memory_format("%s", roots->folders.items[0]);
	is_made = fill_words(&making, tool, arguments);
	for (size_t i = 0; i < making.operands.count; i++)
		free(making.operands.items[i]);
	vector_free(&making.operands);
	*why = making.why;
	return is_made;
}

void tool_words_free(struct tool_words *words)
{
	for (size_t i = 0; i < words->words.count; i++)
		free(words->words.items[i]);
	vector_free(&words->words);
	free(words->directory);
	free(words->folder);
	*words = (struct tool_words){0};
}
