#include "findings/first_use_question.h"

#include "base/memory.h"
#include "detectors/evidence/host_wait.h"
#include "findings/analysis.h"
#include "trace/site.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 64 }; /* the library takes no more */

static bool is_copy_to_host(const struct trace_operation *operation)
{
	return operation && operation->form->kind == OPERATION_COPY &&
	       operation->form->engine == ENGINE_D2H;
}

static bool is_asked_about(const struct trace_call *call)
{
	return host_wait_is_sync(call) || is_copy_to_host(call->operation);
}

/* Each result that the wait let the host read, as an instance with the call that made it. */
static void take_results(const struct model *model, const struct host_wait *wait,
			 struct instances *found)
{
	const struct trace_operation *result = wait->call->operation;
	size_t cursor = SIZE_MAX;

	if (is_copy_to_host(result))
		instance_add(found, (struct instance){.site_call = wait->call});
	while ((result = model_result_before(model, wait->since, wait->call, &cursor)))
		if (is_copy_to_host(result) && result->call)
			instance_add(found, (struct instance){.site_call = result->call});
}

/* The text with the site behind it, if it is new and its module is known. */
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

/* One instance a call site. */
static void keep_sites(const struct trace *trace, struct instances *found)
{
	struct map seen = {0};
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++) {
		const struct trace_site *site = found->items[i].site_call->form->site;

		if (site && map_add(&seen, (uint64_t)(site - trace->sites), i))
			found->items[kept++] = found->items[i];
	}
	found->count = kept;
	map_free(&seen);
}

static bool is_in_question(const struct trace *trace, const struct instances *found,
			   const struct trace_call *call)
{
	struct site site = site_describe(trace, call->form->site, NULL);

	for (size_t i = 0; i < found->count; i++) {
		struct site other =
			site_describe(trace, found->items[i].site_call->form->site, NULL);

		if (!site_compare(&site, &other))
			return true;
	}
	return false;
}

/* One line can be several calls: of a loop that the compiler unrolled. */
static char *add_lines(const struct trace *trace, const struct instances *found)
{
	struct map seen = {0}; /* call sites */
	size_t count = 0;
	char *text = NULL;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (is_copy_to_host(call->operation) && call->form->site &&
		    map_add(&seen, (uint64_t)(call->form->site - trace->sites), i) &&
		    is_in_question(trace, found, call))
			text = add_site(text, &count, call->form->site);
	}
	map_free(&seen);
	return text;
}

char *first_use_question(const struct trace *trace)
{
	struct analysis *analysis = analysis_run(trace);
	struct instances found = {0};
	char *text;

	host_wait_each(&analysis->observed, is_asked_about, take_results, &found);
	keep_sites(trace, &found);
	text = add_lines(trace, &found);
	free(found.items);
	analysis_free(analysis);
	return text;
}
