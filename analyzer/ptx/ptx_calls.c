#include "ptx/ptx_calls.h"

/* Functions of the device runtime, whose code is not in the text. */
static const struct {
	const char *name;
	bool is_reader;	    /* of memory that it is passed: the strings of printf() */
	bool is_allocation; /* what it returns is like memory found elsewhere */
} runtime_functions[] = {{"vprintf", true, false},
			 {"__assertfail", false, false},
			 {"free", false, false},
			 {"malloc", false, true}};

/* Whether it is one. None changes what parameters point to. */
static bool call_runtime(const struct adding *adding, struct ptx_token function,
			 const struct ptx_operand *results, const struct ptx_operand *passed)
{
	for (size_t i = 0; i < sizeof(runtime_functions) / sizeof(*runtime_functions); i++) {
		if (!ptx_is_word(function, runtime_functions[i].name) ||
		    ptx_names_call(adding->names, function))
			continue;
		for (uint32_t k = 0; runtime_functions[i].is_reader && k < passed->count; k++)
			adding_edge(adding, EDGE_LOST, adding_variable(adding, passed->first + k),
				    0);
		for (uint32_t k = 0; runtime_functions[i].is_allocation && k < results->count; k++)
			use_graph_seed(adding->graph, adding_variable(adding, results->first + k),
				       ORIGIN_LOADED);
		return true;
	}
	return false;
}

static void call_unknown(const struct adding *adding, const struct ptx_operand *results,
			 const struct ptx_operand *passed)
{
	adding->graph->elsewhere |= USE_READ | USE_WRITE;
	for (uint32_t i = 0; i < passed->count; i++)
		adding_edge(adding, EDGE_LOST, adding_variable(adding, passed->first + i), 0);
	for (uint32_t i = 0; i < results->count; i++)
		use_graph_seed(adding->graph, adding_variable(adding, results->first + i),
			       ORIGIN_LOADED);
}

void ptx_calls_add(const struct adding *adding)
{
	static const struct ptx_operand none;
	const uint32_t at = adding_operand(adding, 0)->is_list;
	const struct ptx_operand *results = at ? adding_operand(adding, 0) : &none;
	const struct ptx_operand *function = adding_operand(adding, at);
	const struct ptx_operand *passed =
		adding_operand(adding, at + 1)->is_list ? adding_operand(adding, at + 1) : &none;
	const struct ptx_called *called;

	if (!function->count) {
		call_unknown(adding, results, passed);
		return;
	}
	if (call_runtime(adding, adding->statement->names[function->first], results, passed))
		return;
	called = ptx_names_call(adding->names, adding->statement->names[function->first]);
	if (!called || called->parameters.count != passed->count ||
	    called->results.count != results->count) {
		call_unknown(adding, results, passed);
		return;
	}
	for (uint32_t i = 0; i < passed->count; i++)
		adding_edge(adding, EDGE_FLOW, adding_variable(adding, passed->first + i),
			    called->parameters.items[i]);
	for (uint32_t i = 0; i < results->count; i++)
		adding_edge(adding, EDGE_FLOW, called->results.items[i],
			    adding_variable(adding, results->first + i));
}
