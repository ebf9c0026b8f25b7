#include "findings/pattern.h"

#include "base/memory.h"

#include <fnmatch.h>
#include <stdlib.h>

char *pattern_of_part(const char *part)
{
	return part ? memory_format("*%s*", part) : NULL;
}

bool pattern_is_like(const char *text, const char *pattern)
{
	return text && !fnmatch(pattern, text, FNM_CASEFOLD);
}

bool pattern_is_site(const struct site *site, const char *pattern)
{
	char *line = memory_format("%s:%d", site->file ? site->file : "", site->line);
	bool result = pattern_is_like(line, pattern) || pattern_is_like(site->function, pattern) ||
		      pattern_is_like(site->module, pattern);

	free(line);
	return result;
}

bool pattern_is_range(const struct trace_range *range, const char *pattern)
{
	char *name;
	bool result;

	if (!range->domain)
		return pattern_is_like(range->name, pattern);
	name = memory_format("%s:%s", range->domain, range->name ? range->name : "");
	result = pattern_is_like(name, pattern);
	free(name);
	return result;
}
