#include "render/job.h"

#include <string.h>

static const struct {
	const char *name;
	job_printer print;
} formats[] = {
	{"text", print_job_text},
	{"json", print_job_json},
	{"md", print_job_md},
	{"csv", print_job_csv},
};

job_printer job_find_printer(const char *format)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i].name, format))
			return formats[i].print;
	return NULL;
}
