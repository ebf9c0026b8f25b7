#include "cupti/driver_functions.h"

#include "cupti/host_functions.h"

#include <stddef.h>

/* CUPTI's parameters are not const to it. */
#define PARAMS(api, data) ((api##_params *)(uintptr_t)(data)->functionParams)

/* The program's node parameters are const: the changed copy lives until the thread's next such
 * call. */
static __thread CUDA_HOST_NODE_PARAMS node_params __attribute__((tls_model("initial-exec")));

static struct host_function *wrap_function(const CUpti_CallbackData *data, CUhostFn function,
					   void *argument, CUstream stream,
					   enum host_function_use use, bool is_per_thread)
{
	return host_function_wrap(&(struct host_function){.function = (uint64_t)function,
							  .argument = (uint64_t)argument,
							  .stream = (uint64_t)stream,
							  .correlation = data->correlationId},
				  use, is_per_thread);
}

static void enter_launch(const CUpti_CallbackData *data, bool is_per_thread)
{
	cuLaunchHostFunc_params *p = PARAMS(cuLaunchHostFunc, data);
	struct host_function *ours = wrap_function(data, p->fn, p->userData, p->hStream,
						   HOST_FUNCTION_ENQUEUED, is_per_thread);

	if (!ours)
		return;
	p->fn = host_function_run;
	p->userData = ours;
}

static void enter_callback(const CUpti_CallbackData *data, bool is_per_thread)
{
	cuStreamAddCallback_params *p = PARAMS(cuStreamAddCallback, data);
	struct host_function *ours =
		wrap_function(data, (CUhostFn)(void *)p->callback, p->userData, p->hStream,
			      HOST_FUNCTION_ENQUEUED, is_per_thread);

	if (!ours)
		return;
	p->callback = host_function_run_callback;
	p->userData = ours;
}

static void enter_node(const CUpti_CallbackData *data)
{
	cuGraphAddHostNode_params *p = PARAMS(cuGraphAddHostNode, data);
	struct host_function *ours;

	if (!p->nodeParams)
		return;
	ours = wrap_function(data, p->nodeParams->fn, p->nodeParams->userData, NULL,
			     HOST_FUNCTION_IN_GRAPH, false);
	if (!ours)
		return;
	node_params = (CUDA_HOST_NODE_PARAMS){.fn = host_function_run, .userData = ours};
	p->nodeParams = &node_params;
}

/* Gives the program back the parameters that it set. */
static void restore_node(const CUpti_CallbackData *data)
{
	CUDA_HOST_NODE_PARAMS *params = PARAMS(cuGraphHostNodeGetParams, data)->nodeParams;
	const struct host_function *ours;

	if (!params || params->fn != host_function_run)
		return;
	ours = params->userData;
	params->fn = (CUhostFn)ours->function;
	params->userData = (void *)ours->argument;
}

/* The struct host_function that the driver was given; NULL: the argument is not ours. */
static struct host_function *given_function(enum function function, const CUpti_CallbackData *data)
{
	const cuLaunchHostFunc_params *launch = data->functionParams;
	const cuStreamAddCallback_params *callback = data->functionParams;

	if (function == FUNCTION_cuLaunchHostFunc)
		return launch->fn == host_function_run ? launch->userData : NULL;
	if (function == FUNCTION_cuStreamAddCallback)
		return callback->callback == host_function_run_callback ? callback->userData : NULL;
	return PARAMS(cuGraphAddHostNode, data)->nodeParams == &node_params ? node_params.userData
									    : NULL;
}

void driver_functions_enter(enum function function, const CUpti_CallbackData *data,
			    bool is_per_thread)
{
	if (function == FUNCTION_cuLaunchHostFunc)
		enter_launch(data, is_per_thread);
	else if (function == FUNCTION_cuStreamAddCallback)
		enter_callback(data, is_per_thread);
	else if (function == FUNCTION_cuGraphAddHostNode)
		enter_node(data);
}

void driver_functions_exit(enum function function, const CUpti_CallbackData *data)
{
	bool has_failed = *(const CUresult *)data->functionReturnValue != CUDA_SUCCESS;
	struct host_function *ours;

	if (function == FUNCTION_cuGraphHostNodeGetParams && !has_failed)
		restore_node(data);
	if (!has_failed ||
	    (function != FUNCTION_cuLaunchHostFunc && function != FUNCTION_cuStreamAddCallback &&
	     function != FUNCTION_cuGraphAddHostNode))
		return;
	ours = given_function(function, data);
	if (ours)
		host_function_take_back(ours);
}
