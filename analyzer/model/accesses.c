#include "model/accesses.h"

#include "facts/format.h"
#include "ptx/kernel_uses.h"
#include "trace/graph_edges.h"

#include <stdlib.h>
#include <string.h>

struct accesses *accesses_create(const struct trace *trace)
{
	struct accesses *accesses = memory_array(1, sizeof(*accesses));

	accesses->trace = trace;
	for (size_t i = 0; i < trace->allocation_count; i++)
		accesses->has_variables |= trace->allocations[i].is_static;
	return accesses;
}

void accesses_free(struct accesses *accesses)
{
	vector_free(&accesses->all);
	vector_free(&accesses->parameters);
	map_free(&accesses->reaches);
	map_free(&accesses->kernels);
	extents_free(&accesses->allocations);
	free(accesses);
}

const struct trace_allocation *accesses_next_allocation(struct accesses *accesses, int64_t time_ns)
{
	const struct trace *trace = accesses->trace;
	const struct trace_allocation *next = &trace->allocations[accesses->next_allocation];

	if (accesses->next_allocation >= trace->allocation_count || next->time_ns > time_ns)
		return NULL;
	map_free(&accesses->reaches);
	extents_set(&accesses->allocations, next->address, next->address + next->size_bytes,
		    (uint32_t)++accesses->next_allocation);
	return next;
}

/* The end of the allocation that contains the address; 0: none does. */
static uint64_t find_reach(const struct accesses *accesses, uint64_t address)
{
	const struct trace_allocation *allocations = accesses->trace->allocations;
	uint64_t cursor = 0, end = 0;
	const struct extent *extent;

	while ((extent = extents_next(&accesses->allocations, address, UINT64_MAX, &cursor))) {
		bool is_first = !end;

		if (is_first ? extent->start > address
			     : extent->start != end || !allocations[extent->value - 1].is_mapped)
			break;
		end = extent->end;
		if (!allocations[extent->value - 1].is_mapped)
			break;
	}
	return end;
}

/* Caches find_reach(): thousands of chunks may be mapped side by side, and pointers recur. */
static uint64_t reach_of(struct accesses *accesses, uint64_t address)
{
	size_t known = map_find(&accesses->reaches, address);

	if (known == MAP_NONE) {
		known = find_reach(accesses, address);
		map_add(&accesses->reaches, address, known);
	}
	return known;
}

static const struct kernel_parameters *parameters_of(struct accesses *accesses, const char *name)
{
	size_t index = map_find(&accesses->kernels, (uintptr_t)name);

	if (index == MAP_NONE) {
		index = accesses->parameters.count;
		*vector_add(&accesses->parameters) = kernel_parameters_read(name);
		map_add(&accesses->kernels, (uintptr_t)name, index);
	}
	return &accesses->parameters.items[index];
}

const struct trace_allocation *accesses_allocation_at(const struct accesses *accesses,
						      uint64_t address)
{
	uint64_t cursor = 0;
	const struct extent *extent =
		extents_next(&accesses->allocations, address, address + 1, &cursor);

	return extent && extent->value ? &accesses->trace->allocations[extent->value - 1] : NULL;
}

/* Whether a kernel none of whose arguments points into a known allocation reaches no known memory.
 * Its C++ name says so if all parameters are pointers to data or numbers, and these were seen. A
 * struct may hide a pointer, a name that is not mangled tells nothing, and in a program with
 * variables in device memory a kernel may work on these. */
static bool reaches_nothing(const struct accesses *accesses,
			    const struct kernel_parameters *parameters)
{
	const struct trace_call_form *form = accesses->call->form;
	bool sees_pointers = accesses->trace->schema_version >= FORMAT_ALL_POINTERS;

	if (!parameters->is_plain || accesses->has_variables)
		return false;
	return !parameters->count ||
	       ((form->arguments || form->numbers) && (sees_pointers || !parameters->is_pointer));
}

static bool has_bit(uint64_t bits, uint32_t parameter)
{
	return parameter < KERNEL_PARAMETERS && bits >> parameter & 1;
}

/* What is done with the memory of an argument: as its code says, else as its C++ type does. What is written counts as read, too:
 * a kernel may write a part, and needs who wrote the rest. */
static uint8_t uses_of(const struct kernel_uses *uses, const struct kernel_parameters *parameters,
		       const struct trace_argument *argument)
{
	const bool is_const =
		!argument->offset_bytes && has_bit(parameters->is_const, argument->parameter);
	const uint8_t found =
		uses ? kernel_uses_at(uses, argument->parameter, argument->offset_bytes)
		     : USE_UNKNOWN;

	if (!(found & USE_UNKNOWN))
		return found & USE_WRITE ? USE_READ | USE_WRITE : found;
	return is_const && !(found & USE_WRITE) ? USE_READ : USE_READ | USE_WRITE;
}

/* Adds what an argument reaches. False: nothing that is known. */
static bool add_argument(struct accesses *accesses, const struct kernel_parameters *parameters,
			 const struct kernel_uses *known_uses,
			 const struct trace_argument *argument)
{
	const uint8_t uses = uses_of(known_uses, parameters, argument);
	uint64_t end = reach_of(accesses, argument->address);
	const struct trace_allocation *allocation;

	if (end) {
		accesses->seen.arguments++;
		allocation = accesses_allocation_at(accesses, argument->address);
		accesses->seen.inner_arguments += allocation->address < argument->address;
		accesses->gives_result |= allocation->is_host && (uses & USE_WRITE);
	} else if (!argument->offset_bytes &&
		   has_bit(parameters->is_pointer, argument->parameter)) {
		accesses->seen.unknown_arguments++;
		/* it may be the host's memory */
		accesses->gives_result |= (uses & USE_WRITE) != 0;
	} else {
		return false; /* a number */
	}
	if (uses)
		*vector_add(&accesses->all) =
			(struct access){argument->address, end ? end : argument->address + 1,
					uses & USE_READ, uses & USE_WRITE};
	return end;
}

static void find_kernel_accesses(struct accesses *accesses)
{
	const struct trace_operation *operation = accesses->operation;
	const struct trace_arguments *arguments = accesses->call->form->arguments;
	const struct kernel_parameters *parameters;
	const struct kernel_uses *uses;
	bool is_known = false;

	if (!operation->form->name || accesses->call->form->function->class != CLASS_LAUNCH)
		return;
	parameters = parameters_of(accesses, operation->form->name);
	uses = trace_kernel_uses(accesses->trace, operation->form->name);
	for (size_t i = 0; arguments && i < arguments->count; i++)
		is_known |= add_argument(accesses, parameters, uses, &arguments->items[i]);
	is_known |=
		reaches_nothing(accesses, parameters) || (uses && !uses->count && !uses->variables);
	accesses->reads_seen =
		is_known && !(uses ? uses->elsewhere & USE_READ : parameters->has_table);
	accesses->writes_seen =
		is_known && !(uses ? uses->elsewhere & USE_WRITE : parameters->has_table);
}

/* Rows with gaps between them reach further than their bytes. */
static bool is_plain(const struct trace_call *call)
{
	const char *name = call->form->function->name;

	return !strstr(name, "2D") && !strstr(name, "3D");
}

/* False: it is in no memory that is known. */
static bool add_end(struct accesses *accesses, uint64_t address, bool is_written)
{
	const struct trace_call *call = accesses->call;
	uint64_t bytes = accesses->operation->form->size_bytes > call->form->size_bytes
				 ? accesses->operation->form->size_bytes
				 : call->form->size_bytes;
	uint64_t end = address ? reach_of(accesses, address) : 0;

	if (!end)
		return false;
	if (is_plain(call) && bytes < end - address)
		end = address + bytes;
	*vector_add(&accesses->all) = (struct access){address, end, !is_written, is_written};
	return true;
}

static bool is_of_work(const struct trace_call *call)
{
	const enum function_class class = call->form->function->class;

	return class == CLASS_LAUNCH || class == CLASS_COPY || class == CLASS_SET;
}

static const struct trace_call *call_of(const struct accesses *accesses,
					const struct trace_operation *operation)
{
	const struct trace_call *captured = operation->form->node_call;

	return accesses->sees_nodes && captured && is_of_work(captured) &&
			       !trace_graph_is_updated(accesses->trace, operation->call)
		       ? captured
		       : operation->call;
}

void accesses_find(struct accesses *accesses, const struct trace_operation *operation)
{
	bool is_copy = operation->form->kind == OPERATION_COPY, is_known;

	accesses->operation = operation;
	accesses->call = call_of(accesses, operation);
	accesses->all.count = 0;
	accesses->reads_seen = accesses->writes_seen = accesses->gives_result = false;
	if (!accesses->call)
		return;
	if (operation->form->kind == OPERATION_KERNEL) {
		accesses->seen.kernels++;
		find_kernel_accesses(accesses);
		accesses->seen.unseen_kernels += !accesses->reads_seen || !accesses->writes_seen;
		return;
	}
	is_known = is_copy && add_end(accesses, accesses->call->form->src, false);
	accesses->reads_seen = is_known || !is_copy || operation->form->engine == ENGINE_H2D;
	is_known = add_end(accesses, accesses->call->form->dst, true);
	accesses->writes_seen = is_known || (is_copy && operation->form->engine == ENGINE_D2H);
}
