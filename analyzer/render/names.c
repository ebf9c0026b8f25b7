#include "base/format.h"
#include "base/memory.h"
#include "render/render.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *render_site(const struct trace *trace, const struct site *site)
{
	return trace_text_site(trace, site);
}

char *render_line(const struct trace *trace, const struct site *site, enum copy_sizes copies)
{
	char *place = render_site(trace, site), *text;

	if (copies == COPIES_ALL)
		return place;
	text = memory_format("%s (%s)", place, copy_sizes_text(copies));
	free(place);
	return text;
}

char *render_sites(const struct trace *trace, const struct finding *finding)
{
	char *first = render_line(trace, &finding->site, finding->copies), *text;

	if (finding_line_count(finding) < 2)
		return first;
	text = memory_format("%s (+%zu)", first, finding_line_count(finding) - 1);
	free(first);
	return text;
}

char *render_joined(const struct trace *trace, const struct finding *finding)
{
	size_t count = finding_part_count(finding);
	struct format alone, saved;
	char all[32], *text, *before;

	if (count < 2)
		return NULL;
	snprintf(all, sizeof(all), count == 2 ? "both" : "all %zu", count);
	text = memory_format("Fix %s: this line alone saves %s", all,
			     format_time(&alone, finding->alone_ns));
	for (size_t i = 1; i < count; i++) {
		const struct finding *part = finding_part(finding, i);
		char *site = render_line(trace, &part->site, part->copies);

		before = text;
		text = memory_format("%s, %s at %s alone %s", before, part->id, site,
				     format_time(&alone, part->alone_ns));
		free(site);
		free(before);
	}
	before = text;
	text = memory_format("%s; %s save %s.", before, all,
			     format_time(&saved, finding->lost.estimate_ns));
	free(before);
	return text;
}

const char *render_function(const struct site *site, struct short_name *name)
{
	if (!site->function || site->is_python)
		return site->function;
	return short_name(name, site->function, SHORT_NAME_FUNCTION);
}

const char *render_more_function(const struct trace *trace, const struct site *site,
				 struct short_name *name)
{
	return trace_text_site_has_function(trace, site) ? NULL : render_function(site, name);
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
