/* A report as text, to be compared with another report. One thread. */
#ifndef STREAMTRACE_REPORT_TEXT_H
#define STREAMTRACE_REPORT_TEXT_H

#include "cmocka_test.h"
#include "render/render.h"

#include <jansson.h>

/* Returns the report of all findings as JSON with sorted keys. The caller frees the text with free(). Out of memory
 * fails the test. */
static inline char *report_text(const struct trace *trace, const struct analysis *analysis)
{
	json_t *json = render_json(trace, analysis, true);
	char *text = json_dumps(json, JSON_SORT_KEYS);

	assert_non_null(text);
	json_decref(json);
	return text;
}

#endif
