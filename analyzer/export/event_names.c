#include "export/event_names.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct export_site {
	bool is_known;
	const char *kernel; /* that the line was looked up with */
	struct site site;
};

/* As CUPTI's readers spell it; "Unknown" for what is none. */
static const char *memory_name(int kind)
{
	static const char *const names[] = {
		[MEMORY_PAGEABLE] = "Pageable",
		[MEMORY_PINNED] = "Pinned",
		[MEMORY_DEVICE] = "Device",
		[MEMORY_ARRAY] = "Array",
		[MEMORY_MANAGED] = "Managed",
		[MEMORY_DEVICE_STATIC] = "Device Static",
		[MEMORY_MANAGED_STATIC] = "Managed Static",
	};

	return kind > 0 && (size_t)kind < sizeof(names) / sizeof(*names) ? names[kind] : "Unknown";
}

/* CUPTI's copy kinds. */
static const char *copy_name(int kind)
{
	static const char *const names[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
					    "AtoD",    "DtoA", "DtoD", "HtoH", "PtoP"};

	return (size_t)kind < sizeof(names) / sizeof(*names) ? names[kind] : names[0];
}

const char *export_operation_name(const struct trace *trace,
				  const struct trace_operation *operation, char *text)
{
	if (operation->form->is_graph)
		return "graph";
	if (operation->form->kind == OPERATION_KERNEL)
		return operation->form->name ? trace_demangle(trace, operation->form->name)
					     : "kernel";
	if (operation->form->kind == OPERATION_SET)
		snprintf(text, NAME_BYTES, "Memset (%s)", memory_name(operation->form->dst_kind));
	else
		snprintf(text, NAME_BYTES, "Memcpy %s (%s -> %s)",
			 copy_name(operation->form->copy_kind),
			 memory_name(operation->form->src_kind),
			 memory_name(operation->form->dst_kind));
	return text;
}

const char *export_call_name(const struct trace_call *call)
{
	const char *name = call->form->function->name;

	return strcmp(name, "__cudaLaunchKernel") == 0 ? name + 2 : name;
}

const char *export_engine_name(enum engine engine)
{
	static const char *const names[ENGINE_COUNT] = {
		[ENGINE_COMPUTE] = "compute",
		[ENGINE_H2D] = "H2D",
		[ENGINE_D2H] = "D2H",
		[ENGINE_PEER] = "peer",
	};

	return names[engine];
}

void export_sites_begin(struct export_sites *sites, const struct trace *trace)
{
	sites->trace = trace;
	sites->items = memory_array(trace->site_count, sizeof(*sites->items));
}

void export_sites_end(struct export_sites *sites)
{
	free(sites->items);
}

const struct site *export_site_of(struct export_sites *sites, const struct trace_call *call)
{
	const char *kernel = call->operation ? call->operation->form->name : NULL;
	struct export_site *item;

	if (!call->form->site)
		return NULL;
	item = &sites->items[call->form->site - sites->trace->sites];
	if (!item->is_known || item->kernel != kernel)
		*item = (struct export_site){true, kernel,
					     site_describe(sites->trace, call->form->site, kernel)};
	return &item->site;
}
