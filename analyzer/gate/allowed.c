#include "gate/allowed.h"

#include "base/text_file.h"
#include "gate/ids.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR " -- "

/* Each entry is tried at each finding: some 10,000 lines. */
#define LIST_MOST_BYTES 1000000

/* The text without the blanks around it; cuts those behind. */
static char *trim_blanks(char *text)
{
	size_t length;

	text += strspn(text, " \t\r\n");
	length = strlen(text);
	while (length && strchr(" \t\r\n", text[length - 1]))
		text[--length] = '\0';
	return text;
}

/* "load.cu:22". */
static bool names_a_line(const char *place)
{
	const char *colon = strrchr(place, ':');

	return colon && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
}

/* What is wrong with the entry, or NULL. */
static const char *parse_entry(char *text, struct allowed_entry *entry, struct arena *arena)
{
	char *reason = strstr(text, SEPARATOR), *place;

	if (!reason)
		return "no reason: ID PLACE -- REASON is expected";
	*reason = '\0';
	reason = trim_blanks(reason + strlen(SEPARATOR));
	text = trim_blanks(text);
	place = text + strcspn(text, " \t");
	if (!*place)
		return "no place: ID PLACE -- REASON is expected";
	*place = '\0';
	place = trim_blanks(place + 1);
	if (names_a_line(place))
		return "edits move lines: name the function instead, as FILE:FUNCTION";
	entry->id = arena_text(arena, text);
	entry->place = arena_text(arena, place);
	entry->reason = arena_text(arena, reason);
	return NULL;
}

/* Takes one line of the file. What is wrong with it, malloc'ed; NULL: nothing. */
static char *take_line(struct allowed *allowed, char *text, int line)
{
	struct allowed_entry entry = {.line = line};
	const char *wrong;
	char *unknown;

	text = trim_blanks(text);
	if (!*text || *text == '#')
		return NULL;
	wrong = parse_entry(text, &entry, &allowed->arena);
	if (wrong)
		return memory_format("line %d: %s", line, wrong);
	unknown = strcmp(entry.id, "*") ? ids_unknown(entry.id) : NULL;
	free(unknown);
	if (unknown)
		return memory_format("line %d: no finding has the id '%s'", line, entry.id);
	*vector_add(&allowed->entries) = entry;
	return NULL;
}

struct allowed *allowed_read(const char *path, char *text, char **error)
{
	struct allowed *allowed = memory_array(1, sizeof(*allowed));
	char *line;
	int number = 0;

	allowed->path = path;
	*error = NULL;
	while (!*error && (line = strsep(&text, "\n")))
		*error = take_line(allowed, line, ++number);
	if (!*error)
		return allowed;
	allowed_free(allowed);
	return NULL;
}

struct allowed *allowed_load(const char *path, char **error)
{
	size_t size;
	char *text = text_file_read(path, LIST_MOST_BYTES, &size, error);
	struct allowed *allowed = NULL;

	if (text && strlen(text) != size)
		*error = memory_format("is not a text file: it has a byte 0");
	else if (text)
		allowed = allowed_read(path, text, error);
	free(text);
	return allowed;
}

/* A longer name in a trace is no name. */
#define NAME_LENGTH 4096

static bool matches_pattern(const char *pattern, const char *name)
{
	return strlen(name) < NAME_LENGTH && !fnmatch(pattern, name, 0);
}

/* Whether the pattern is an end of the path: load.cu and src/load.cu are of /app/src/load.cu. */
static bool is_end_of(const char *pattern, const char *path)
{
	if (strlen(path) >= NAME_LENGTH)
		return false;
	for (const char *end = path; end; end = strchr(end, '/') ? strchr(end, '/') + 1 : NULL)
		if (matches_pattern(pattern, end))
			return true;
	return false;
}

/* place: "FILE:FUNCTION" or "FILE". A function's name may have colons: FILE ends at the first. */
static bool is_place(const char *place, const char *file, const char *function)
{
	size_t length = strcspn(place, ":");
	char *pattern = memory_format("%.*s", (int)length, place);
	bool ok = is_end_of(pattern, file ? file : "");

	free(pattern);
	if (ok && place[length])
		ok = function && matches_pattern(place + length + 1, function);
	return ok;
}

const char *allowed_reason(struct allowed *allowed, const char *id, const char *file,
			   const char *function)
{
	const char *reason = NULL;

	for (size_t i = 0; i < allowed->entries.count; i++) {
		struct allowed_entry *entry = &allowed->entries.items[i];

		if ((strcmp(entry->id, "*") && strcmp(entry->id, id)) ||
		    !is_place(entry->place, file, function))
			continue;
		entry->is_used = true;
		if (!reason)
			reason = entry->reason;
	}
	return reason;
}

const struct allowed_entry *allowed_unused(const struct allowed *allowed, size_t *index)
{
	while (*index < allowed->entries.count) {
		const struct allowed_entry *entry = &allowed->entries.items[(*index)++];

		if (!entry->is_used)
			return entry;
	}
	return NULL;
}

void allowed_free(struct allowed *allowed)
{
	vector_free(&allowed->entries);
	arena_free(&allowed->arena);
	free(allowed);
}
