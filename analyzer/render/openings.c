/* How a report is told from a file of somebody else. */
#include "render/render.h"

#include <ctype.h>
#include <string.h>

/* What reports of each format begin with, without white space: of traces, of several, of a job. */
static const struct {
	const char *format, *text;
} openings[] = {
	{"json", "{\"schema_version\":1,\"trace\":{\"path\":"},
	{"json", "[{\"schema_version\":1,\"trace\":{\"path\":"},
	{"json", "{\"schema_version\":1,\"job\":{"},
	{"md", "###streamtrace:"},
	{"csv", "trace,program,number,id,title,"},
	{"csv", "number,id,where,function,job_saves_low_ns,"},
	{"html", "<!DOCTYPEhtml><htmllang=\"en\"><head><metacharset=\"utf-8\">"
		 "<metahttp-equiv=\"Content-Security-Policy\"content=\"default-src'none';"},
};

static bool begins_with(const char *text, const char *end, const char *opening)
{
	for (; *opening; text++) {
		if (text == end)
			return false;
		if (isspace((unsigned char)*text))
			continue;
		if (*text != *opening++)
			return false;
	}
	return true;
}

bool render_is_opening(const char *format, const char *bytes, size_t size)
{
	for (size_t i = 0; i < sizeof(openings) / sizeof(*openings); i++)
		if (!strcmp(openings[i].format, format) &&
		    begins_with(bytes, bytes + size, openings[i].text))
			return true;
	return false;
}
