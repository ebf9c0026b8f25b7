/* Marks the forms of calls after which the thread read a clock (clock_reads). */
#include "trace/forms.h"
#include "trace/loader.h"
#include "trace/thread_calls.h"
#include "trace/trace_private.h"

#include <stdlib.h>
#include <string.h>

static bool begins_with_any(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strncmp(name, *names, strlen(*names)) == 0)
			return true;
	return false;
}

/* Modules through which a program reads a clock for itself. Other libraries read it for their own
 * purposes; Python programs' libraries do so through the C++ library. */
static bool is_for_program(const struct trace *trace, const struct trace_module *module)
{
	static const char *const pythons[] = {"python", "libpython", NULL};
	static const char *const libraries[] = {
		"libstdc++.",	"libc++.",  "libgomp.",	   "libomp.", "libiomp",
		"libgfortran.", "libflang", "libnvomp.so", "libmpi",  NULL};
	const char *slash = strrchr(module->path, '/');
	const char *name = slash ? slash + 1 : module->path;

	return begins_with_any(name, pythons) || !module->is_library ||
	       (!trace_metadata(trace, "python") && begins_with_any(name, libraries));
}

static void mark_call(struct trace *trace, struct trace_call *call)
{
	struct trace_call_form form;

	memcpy(&form, call->form, sizeof(form)); /* its padding is compared */
	form.is_timed = true;
	call->form = forms_keep(&trace->private->lent_forms, &form);
}

void trace_read_clock_reads(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct thread_calls calls = {0};
	struct clock_reads_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_clock_reads, "");
	while (rows_next_clock_reads(&rows, &row)) {
		size_t module = row.module_id == ROW_NULL
					? MAP_NONE
					: trace_find_id(&rows, row.module_id, &loader->module_map,
							TABLE_modules);
		const struct trace_call *call;

		if (module == MAP_NONE || !is_for_program(trace, &loader->modules.items[module]))
			continue;
		if (!calls.rows)
			calls = thread_calls_sort(trace);
		call = thread_calls_before(trace, &calls, (uint32_t)row.thread_id, row.time_ns);
		if (call && call->end_ns <= row.time_ns)
			mark_call(trace, &trace->calls[call - trace->calls]);
	}
	rows_close(&rows);
	free(calls.rows);
}
