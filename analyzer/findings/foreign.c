#include "findings/foreign.h"

#include "base/format.h"
#include "base/memory.h"
#include "facts/check.h"
#include "findings/not_seen.h"
#include "trace/trace.h"

#include <stdlib.h>

static bool is_called(const struct trace *trace, const struct trace_function *function)
{
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->function == function)
			return true;
	return false;
}

/* words: classes and names of functions; NULL: any. */
static bool has_calls(const struct trace *trace, const char *words)
{
	static const char *const classes[] = {
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) [CLASS_##symbol] = (word),
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
		[CLASS_OTHER] = "other",
	};
	const struct check check = {.words = words};

	for (size_t i = 0; words && i < trace->function_count; i++) {
		const struct trace_function *function = &trace->functions[i];

		if ((check_word(&check, classes[function->class]) >= 0 ||
		     check_word(&check, function->name) >= 0) &&
		    is_called(trace, function))
			return true;
	}
	return !words;
}

static void add_rows(struct not_seen_list *list, const struct trace *trace)
{
	static const struct {
		const char *what, *key, *calls, *says;
	} rows[] = {
#define FOREIGN(what, key, calls, says) {what, key, calls, says},
#include "findings/foreign.def"
#undef FOREIGN
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!(rows[i].key && trace_metadata(trace, rows[i].key)) &&
		    has_calls(trace, rows[i].calls))
			not_seen_add(list, memory_format("%s", rows[i].what),
				     memory_format("%s", rows[i].says));
}

void foreign_collect(struct not_seen_list *list, const struct trace *trace)
{
	const char *recorder = trace_metadata(trace, "recorder");
	const char *processes = trace_metadata(trace, "nsys_processes");
	struct format count;

	if (!recorder)
		return;
	not_seen_add(list, memory_format("recorder"),
		     memory_format("this is %s's export: what it lacks follows", recorder));
	add_rows(list, trace);
	if (processes && strtol(processes, NULL, 10) > 1)
		not_seen_add(
			list, memory_format("processes"),
			memory_format("the file has %s: this report is of the one with the "
				      "most GPU operations",
				      format_count(&count, (size_t)strtol(processes, NULL, 10))));
}
