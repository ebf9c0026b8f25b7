#include "render/output_formats.h"

#include <ctype.h>
#include <string.h>

static const struct output_format output_formats[] = {
#define FORMAT(format, meaning, of_report, of_job, of_gate, of_whatif, of_host, ...)               \
	{.name = #format,                                                                          \
	 of_report(.report = &renderer_##format, ) of_job(.job = print_job_##format, )             \
		 of_gate(.gate = gate_print_##format, )                                            \
			 of_whatif(.whatif = print_whatif_##format, )                              \
				 of_host(.host = &renderer_host_##format, )                        \
					 .openings = {__VA_ARGS__}},
#include "render/output_formats.def"
#undef FORMAT
};

/* A row with another pair does not compile: a format of reports states what it does with a job. */
enum report_and_job { PRINTED_PRINTED, PRINTED_EACH, REFUSED_REFUSED };
#define FORMAT(format, meaning, of_report, of_job, ...)                                            \
	_Static_assert(of_report##_##of_job <= REFUSED_REFUSED, #format);
#include "render/output_formats.def"
#undef FORMAT

const struct output_format *output_format_find(const char *name)
{
	for (size_t i = 0; i < sizeof(output_formats) / sizeof(*output_formats); i++)
		if (!strcmp(output_formats[i].name, name))
			return &output_formats[i];
	return NULL;
}

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

bool output_format_opens(const struct output_format *format, const char *bytes, size_t size)
{
	for (size_t i = 0; i < OUTPUT_FORMAT_OPENINGS && format->openings[i]; i++)
		if (begins_with(bytes, bytes + size, format->openings[i]))
			return true;
	return false;
}
