#include "mcp/resources.h"

#include "mcp/answer.h"
#include "mcp/process.h"
#include "mcp/recorded.h"

#include <ctype.h>
#include <string.h>

/* Traces in one answer; each has an entry of each kind. */
#define PAGE_TRACES 50

static const struct resource resources[] = {
	{"streamtrace://trace", "trace", "Report on a trace", "text/markdown", "md",
	 "where the traced program lost overlap, in which line, and what a fix would save"},
	{"streamtrace://page", "page", "Timeline of a trace", "text/html", "html",
	 "a page with the report and the timeline, as measured and after each fix"},
};

#define RESOURCES (sizeof(resources) / sizeof(*resources))

/* The path as a part of a URI, malloc'ed. */
static char *encode_path(const char *path)
{
	static const char digits[] = "0123456789ABCDEF";
	char *text = memory_array(strlen(path) + 1, 3), *out = text;

	for (; *path; path++) {
		const unsigned char byte = (unsigned char)*path;

		if (byte < 0x80 && (isalnum(byte) || strchr("/-._~", byte))) {
			*out++ = *path;
		} else {
			*out++ = '%';
			*out++ = digits[byte >> 4];
			*out++ = digits[byte & 15];
		}
	}
	return text;
}

static void add_resources(json_t *array, const char *path)
{
	char *encoded = encode_path(path);
	const char *name = strrchr(path, '/') + 1;

	for (size_t i = 0; i < RESOURCES; i++) {
		const struct resource *kind = &resources[i];
		json_t *one = json_pack("{s:o, s:s, s:s, s:s}", "uri",
					json_sprintf("%s%s", kind->beginning, encoded), "title",
					kind->title, "mimeType", kind->type, "description",
					kind->description);
		json_t *shown = json_string(name);

		json_object_set_new(one, "name", shown ? shown : json_string(kind->name));
		json_array_append_new(array, one);
	}
	free(encoded);
}

struct reply resources_list(const struct roots *roots, const char *cursor)
{
	char *after = cursor ? roots_decode(cursor) : NULL;
	struct reply reply = {.result = NULL};
	path_list paths = {0};
	json_t *array;
	size_t i = 0, end;

	if (cursor && (!after || *after != '/')) {
		free(after);
		return reply_error(MESSAGE_INVALID_PARAMS, "the cursor is none of this server's");
	}
	array = json_array();
	recorded_find(roots, &paths);
	while (after && i < paths.count && strcmp(paths.items[i], after) <= 0)
		i++;
	end = paths.count - i > PAGE_TRACES ? i + PAGE_TRACES : paths.count;
	for (; i < end; i++)
		add_resources(array, paths.items[i]);
	reply.result = json_pack("{s:o}", "resources", array);
	if (end && end < paths.count) {
		char *next = encode_path(paths.items[end - 1]);

		json_object_set_new(reply.result, "nextCursor", json_string(next));
		free(next);
	}
	recorded_free(&paths);
	free(after);
	return reply;
}

struct reply resources_templates(void)
{
	json_t *array = json_array();

	for (size_t i = 0; i < RESOURCES; i++)
		json_array_append_new(array,
				      json_pack("{s:o, s:s, s:s, s:s, s:s}", "uriTemplate",
						json_sprintf("%s{+path}", resources[i].beginning),
						"name", resources[i].name, "title",
						resources[i].title, "mimeType", resources[i].type,
						"description", resources[i].description));
	return (struct reply){.result = json_pack("{s:o}", "resourceTemplates", array)};
}

static const struct resource *find_kind(const char *uri)
{
	for (size_t i = 0; i < RESOURCES; i++) {
		const size_t length = strlen(resources[i].beginning);

		if (!strncmp(uri, resources[i].beginning, length) && uri[length] == '/')
			return &resources[i];
	}
	return NULL;
}

const struct resource *resources_words(const char *uri, const struct roots *roots,
				       struct tool_words *words, char **why)
{
	const struct resource *kind = find_kind(uri);
	char *path = kind ? roots_decode(uri + strlen(kind->beginning)) : NULL;
	char *real = path ? roots_find(roots, path, why) : NULL;

	if (!path)
		*why = memory_format("%s: no such resource", uri);
	free(path);
	if (!real)
		return NULL;
	*vector_add(&words->words) = memory_format("streamtrace");
	*vector_add(&words->words) = memory_format("report");
	*vector_add(&words->words) = memory_format("--no-measure");
	*vector_add(&words->words) = memory_format("--format=%s", kind->format);
	*vector_add(&words->words) = memory_format("--");
	*vector_add(&words->words) = real;
	*vector_add(&words->words) = NULL;
	words->directory = memory_format("%s", roots->folders.items[0]);
	return kind;
}

struct reply resources_read(const struct resource *resource, const char *uri,
			    const struct process *process, bool is_failure)
{
	const struct kept *output = &process->output;
	json_t *text, *messages;
	struct reply reply;

	if (is_failure) {
		messages = answer_messages(process);
		text = json_array_get(messages, 0);
		reply = reply_error(MESSAGE_INVALID_PARAMS, "%s",
				    text ? json_string_value(text) : "the report failed");
		json_decref(messages);
		return reply;
	}
	text = output->is_cut ? NULL
			      : json_stringn(output->size ? output->bytes : "", output->size);
	if (!text)
		return reply_error(MESSAGE_INTERNAL_ERROR, "%s: is too large, or no UTF-8", uri);
	return (struct reply){.result = json_pack("{s:[{s:s, s:s, s:o}]}", "contents", "uri", uri,
						  "mimeType", resource->type, "text", text)};
}
