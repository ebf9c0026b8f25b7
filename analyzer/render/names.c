#include "base/memory.h"
#include "render/render.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <stdlib.h>
#include <string.h>

char *render_site(const struct trace *trace, const struct site *site)
{
	char *place = trace_text_site(trace, site), *text;

	if (!site->module || (site->file && site->line > 0))
		return place;
	text = memory_format("%s (no debug info)", place);
	free(place);
	return text;
}

char *render_sites(const struct trace *trace, const struct finding *finding)
{
	char *first = render_site(trace, &finding->site), *text;

	if (finding->site_count < 2)
		return first;
	text = memory_format("%s (+%zu)", first, finding->site_count - 1);
	free(first);
	return text;
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

char *render_devices(const struct trace *trace)
{
	return trace_text_devices(trace);
}
