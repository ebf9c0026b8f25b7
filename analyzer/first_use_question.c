#include "first_use_question.h"

#include "analysis.h"
#include "detectors/host_wait.h"
#include "memory.h"
#include "site.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SITES 64 /* the library takes no more */

static bool is_copy_to_host(const struct trace_operation *operation)
{
	return operation && operation->kind == OPERATION_COPY && operation->engine == ENGINE_D2H;
}

static bool is_looked_at(const struct trace_call *call)
{
	return host_wait_is_sync(call) || is_copy_to_host(call->operation);
}

/* Each result that the wait let the host read, as an instance with the call that made it. */
static void take(const struct model *model, const struct host_wait *wait, struct instances *found)
{
	const struct trace_operation *result = wait->call->operation;
	size_t place = SIZE_MAX;

	if (is_copy_to_host(result))
		instance_add(found, (struct instance){.site_call = wait->call});
	while ((result = model_result_before(model, wait->since, wait->call, &place)))
		if (is_copy_to_host(result) && result->call)
			instance_add(found, (struct instance){.site_call = result->call});
}

/* The text with the site behind it, if it is new and has a place in a module. */
static char *add_site(char *text, size_t *count, const struct trace_site *site)
{
	const struct trace_frame *frame = site_application_frame(site, NULL);
	char *one, *longer;

	if (!frame || !frame->module || strchr(frame->module, ',') || *count == SITES)
		return text;
	one = memory_format("%s:%" PRIx64 ",", frame->module, frame->offset);
	if (text && strstr(text, one)) {
		free(one);
		return text;
	}
	longer = memory_format("%s%s", text ? text : "", one);
	free(one);
	free(text);
	(*count)++;
	return longer;
}

char *first_use_question(const struct trace *trace)
{
	struct analysis *analysis = analysis_run(trace);
	struct instances found = {0};
	char *text = NULL;
	size_t count = 0;

	host_wait_each(analysis->model, is_looked_at, take, &found);
	for (size_t i = 0; i < found.count; i++)
		text = add_site(text, &count, found.items[i].site_call->site);
	free(found.items);
	analysis_free(analysis);
	return text;
}
