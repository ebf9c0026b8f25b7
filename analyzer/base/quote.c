#include "base/quote.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "@%+=:,./-_";

static bool is_printable_ascii(const char *name)
{
	for (; *name; name++)
		if (*name < ' ' || *name > '~')
			return false;
	return true;
}

char *quote_for_shell(const char *name)
{
	const char *before = *name == '-' ? "./" : "";
	const bool is_printable = is_printable_ascii(name);
	char *quoted, *out;

	if (*name && !name[strspn(name, plain)])
		return memory_format("%s%s", before, name);
	/* One byte becomes at most four: \012 or '\''. */
	quoted = memory_array(strlen(name) * 4 + sizeof("./$''"), 1);
	out = quoted + sprintf(quoted, "%s%s", is_printable ? "'" : "$'", before);
	for (; *name; name++)
		if (!is_printable && (*name < ' ' || *name > '~' || *name == '\'' || *name == '\\'))
			out += sprintf(out, "\\%03o", (unsigned char)*name);
		else if (*name == '\'')
			out += sprintf(out, "'\\''");
		else
			*out++ = *name;
	strcpy(out, "'");
	return quoted;
}
