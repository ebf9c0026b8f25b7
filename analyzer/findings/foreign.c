#include "findings/foreign.h"

#include "base/format.h"
#include "base/memory.h"
#include "findings/not_seen.h"
#include "trace/trace.h"

#include <stdlib.h>

static void add(struct analysis *analysis, const char *what, const char *why)
{
	not_seen_add(analysis, memory_format("%s", what), memory_format("%s", why));
}

static bool has_calls(const struct trace *trace, enum function_class class)
{
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->function->class == class)
			return true;
	return false;
}

/* The findings that need what is not there; of the others what is assumed. */
static void add_findings(struct analysis *analysis, const struct trace *trace)
{
	add(analysis, "serial-stream, default-stream",
	    "judged in part: without kernel arguments each kernel counts as needing all that was "
	    "written before it in its stream");
	if (has_calls(trace, CLASS_HOST_FUNCTION))
		add(analysis, "host-callback",
		    "not judged: the runs of host functions are not recorded. What they delay can "
		    "show "
		    "as serial-stream");
	if (has_calls(trace, CLASS_ALLOC) || has_calls(trace, CLASS_HOST_ALLOC))
		add(analysis, "alloc-in-loop",
		    "not judged: sizes and addresses of allocations are not recorded");
	if (has_calls(trace, CLASS_COPY))
		add(analysis, "copy addresses",
		    "not recorded: it is assumed that no H2D copy sends on what a D2H copy "
		    "brought, "
		    "and that nothing is overwritten that is still in use");
	add(analysis, "tracing overhead", "not recorded: times and savings are of the traced run");
}

void foreign_collect(struct analysis *analysis, const struct trace *trace)
{
	const char *recorder = trace_metadata(trace, "recorder");
	const char *processes = trace_metadata(trace, "nsys_processes");
	struct format count;

	if (!recorder)
		return;
	not_seen_add(analysis, memory_format("recorder"),
		     memory_format("this is %s's export: what it lacks follows", recorder));
	add_findings(analysis, trace);
	if (!trace_metadata(trace, "nsys_stacks"))
		add(analysis, "call sites",
		    "the export has no call stacks: record with nsys profile --cudabacktrace=all");
	if (has_calls(trace, CLASS_STREAM_WAIT_EVENT) && !trace_metadata(trace, "nsys_event_waits"))
		add(analysis, "event waits",
		    "the export does not say which event a stream waited for: record with nsys "
		    "profile --cuda-event-trace=true");
	if (processes && strtol(processes, NULL, 10) > 1)
		not_seen_add(
			analysis, memory_format("processes"),
			memory_format("the file has %s: this report is of the one with the "
				      "most GPU operations",
				      format_count(&count, (size_t)strtol(processes, NULL, 10))));
}
