#include "base/memory.h"
#include "render/render.h"
#include "trace/short_name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *relative_path(const struct trace *trace, const char *path)
{
	const char *folder = trace_metadata(trace, "working_directory");
	size_t length = folder ? strlen(folder) : 0;

	while (length > 0 && folder[length - 1] == '/')
		length--;
	if (length == 0 || strncmp(path, folder, length) != 0 || path[length] != '/')
		return path;
	return path + length + 1;
}

char *render_site(const struct trace *trace, const struct site *site)
{
	const char *slash;

	if (site->file && site->line > 0)
		return memory_format("%s:%d", relative_path(trace, site->file), site->line);
	if (site->file && !site->module)
		return memory_format("%s", relative_path(trace, site->file));
	if (!site->module)
		return memory_format("(call site unknown)");
	slash = strrchr(site->module, '/');
	return memory_format("%s+0x%" PRIx64 " (no debug info)", slash ? slash + 1 : site->module,
			     site->offset);
}

const char *render_function(const struct site *site, struct short_name *name)
{
	if (!site->function || site->is_python)
		return site->function;
	return short_name(name, site->function, SHORT_NAME_FUNCTION);
}

char *render_through(const struct site *site)
{
	struct short_name function;
	const char *slash;

	if (site->through_function)
		return memory_format(
			"%s", short_name(&function, site->through_function, SHORT_NAME_FUNCTION));
	if (site->framework)
		return memory_format("%s", framework_name(site->framework));
	if (!site->through)
		return NULL;
	slash = strrchr(site->through, '/');
	return memory_format("%s", slash ? slash + 1 : site->through);
}

/* So many bytes of a range's name are said, and the rest of the last character. */
#define RANGE_NAME_BYTES 80

char *render_range(const struct trace_range *range)
{
	char *text;
	size_t bytes;

	if (!range)
		return NULL;
	text = memory_format("\"%s%s%s\"", range->domain ? range->domain : "",
			     range->domain ? ":" : "", range->name ? range->name : "");
	bytes = strlen(text);
	/* With room for what is put there instead. */
	if (bytes < RANGE_NAME_BYTES + 8)
		return text;
	for (bytes = RANGE_NAME_BYTES;
	     bytes < RANGE_NAME_BYTES + 3 && (text[bytes] & 0xc0) == 0x80;)
		bytes++;
	memcpy(text + bytes, "...\"", sizeof("...\""));
	return text;
}

/* How many devices before index, or after it, have its name. */
static size_t count_same(const struct trace *trace, size_t index, size_t from, size_t to)
{
	size_t same = 0, i;

	for (i = from; i < to; i++)
		same += strcmp(trace->devices[i].name, trace->devices[index].name) == 0;
	return same;
}

char *render_devices(const struct trace *trace)
{
	char *all = NULL, *longer;
	size_t i, same;

	for (i = 0; i < trace->device_count; i++) {
		if (count_same(trace, i, 0, i))
			continue;
		same = count_same(trace, i, i, trace->device_count);
		longer = same > 1 ? memory_format("%s%s%zu x %s", all ? all : "", all ? ", " : "",
						  same, trace->devices[i].name)
				  : memory_format("%s%s%s", all ? all : "", all ? ", " : "",
						  trace->devices[i].name);
		free(all);
		all = longer;
	}
	return all;
}
