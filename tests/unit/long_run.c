#include "long_run.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

static void make_forms(struct long_run *run)
{
	for (uint32_t i = 0; i < LONG_RUN_LINES; i++) {
		run->sites[i].id = i + 1;
		for (size_t k = 0; k < LONG_RUN_FUNCTIONS; k++)
			run->call_forms[k][i] =
				(struct trace_call_form){.function = &run->functions[k],
							 .site = &run->sites[i],
							 .stream_handle = 0x100,
							 .has_stream = true};
	}
	for (uint32_t i = 0; i < LONG_RUN_NAMES; i++) {
		snprintf(run->names[i], sizeof(run->names[i]), "k%u", i);
		for (size_t k = 0; k < LONG_RUN_STREAMS; k++)
			run->operation_forms[k][i] =
				(struct trace_operation_form){.stream = &run->streams[k],
							      .kind = OPERATION_KERNEL,
							      .engine = ENGINE_COMPUTE,
							      .name = run->names[i]};
	}
}

struct long_run *long_run_make(size_t calls)
{
	struct long_run *run = memory_array(1, sizeof(*run));

	run->functions[LONG_RUN_LAUNCH] = (struct trace_function){"cudaLaunchKernel", CLASS_LAUNCH};
	run->functions[LONG_RUN_SYNC] =
		(struct trace_function){"cudaStreamSynchronize", CLASS_STREAM_SYNC};
	for (uint32_t i = 0; i < LONG_RUN_STREAMS; i++)
		run->streams[i] = (struct trace_stream){.id = i,
							.flag = STREAM_NON_BLOCKING,
							.handle = 0x100 + i,
							.created_ns = INT64_MIN,
							.destroyed_ns = INT64_MAX};
	make_forms(run);
	run->trace =
		(struct trace){.functions = run->functions,
			       .function_count = LONG_RUN_FUNCTIONS,
			       .sites = run->sites,
			       .site_count = LONG_RUN_LINES,
			       .streams = run->streams,
			       .stream_count = LONG_RUN_STREAMS,
			       .calls = memory_array(calls, sizeof(struct trace_call)),
			       .operations = memory_array(calls, sizeof(struct trace_operation))};
	return run;
}

void long_run_free(struct long_run *run)
{
	free(run->trace.operations);
	free(run->trace.calls);
	free(run);
}

uint32_t long_run_call(struct long_run *run, enum long_run_function function, uint32_t line,
		       int64_t start_ns, int64_t end_ns)
{
	run->trace.calls[run->trace.call_count] = (struct trace_call){
		.start_ns = start_ns, .end_ns = end_ns, .form = &run->call_forms[function][line]};
	return (uint32_t)run->trace.call_count++;
}

void long_run_kernel(struct long_run *run, uint32_t call, uint32_t stream, uint32_t name,
		     int64_t start_ns, int64_t end_ns)
{
	struct trace_operation *operation = &run->trace.operations[run->trace.operation_count++];

	*operation = (struct trace_operation){.start_ns = start_ns,
					      .end_ns = end_ns,
					      .form = &run->operation_forms[stream][name],
					      .call = &run->trace.calls[call]};
	operation->call->operation = operation;
	run->trace.matched_operations++;
}

int64_t long_run_iteration(struct long_run *run, uint32_t line, uint32_t name, int64_t start_ns,
			   int64_t kernel_ns, int64_t work_ns)
{
	int64_t kernel_at_ns = start_ns + 1000, done_ns = kernel_at_ns + kernel_ns + 1000;

	long_run_kernel(run, long_run_call(run, LONG_RUN_LAUNCH, line, start_ns, kernel_at_ns), 0,
			name, kernel_at_ns, kernel_at_ns + kernel_ns);
	long_run_call(run, LONG_RUN_SYNC, line + 1, kernel_at_ns, done_ns);
	return done_ns + work_ns;
}
