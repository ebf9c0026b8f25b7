#include "findings/selection.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/instance.h"
#include "findings/not_seen.h"
#include "findings/pattern.h"
#include "findings/whatif_replay.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* One of its lines is. */
static bool finding_is_like(const struct finding *finding, const char *pattern)
{
	bool result = pattern_is_site(&finding->site, pattern);

	for (size_t i = 0; !result && i < finding->site_count; i++)
		result = pattern_is_site(&finding->sites[i].site, pattern);
	return result;
}

static bool is_kernel_like(const struct trace *trace, const struct trace_operation *operation,
			   const char *pattern)
{
	return operation && operation->form->name &&
	       pattern_is_like(trace_demangle(trace, operation->form->name), pattern);
}

/* When it happened in the trace: what was found in a later pass has the spans of a replay. */
static bool is_within(const struct selection *selection, const struct analysis *analysis,
		      const struct instance *instance)
{
	int64_t start_ns = instance_start_ns(instance) - analysis->headline.origin_ns;
	int64_t length_ns = instance->span.end_ns - instance->span.start_ns;

	return start_ns < selection->until_ns && selection->from_ns - start_ns < length_ns;
}

static bool is_in_stream(const struct trace_operation *operation, uint32_t stream)
{
	return operation && operation->form->stream->id == stream;
}

static bool is_on_device(const struct trace_operation *operation, uint32_t device)
{
	return operation && operation->form->device_id == device;
}

static bool is_in_range(const struct trace *trace, const struct trace_call *call,
			const char *pattern)
{
	const struct trace_range *range = call ? trace_range_of(trace, call) : NULL;

	while (range && !pattern_is_range(range, pattern))
		range = trace_range_around(trace, range, call);
	return range != NULL;
}

static bool has_instance(const struct selection *selection, const struct trace *trace,
			 const struct analysis *analysis, const struct instance *instance)
{
	const struct trace_operation *operation = instance->operation, *cause = instance->cause;

	if (selection->kernel && !is_kernel_like(trace, operation, selection->kernel) &&
	    !is_kernel_like(trace, cause, selection->kernel))
		return false;
	if (selection->has_stream && !is_in_stream(operation, selection->stream) &&
	    !is_in_stream(cause, selection->stream))
		return false;
	if (selection->has_device && !is_on_device(operation, selection->device) &&
	    !is_on_device(cause, selection->device))
		return false;
	if (selection->range && !is_in_range(trace, instance_call(instance), selection->range))
		return false;
	return !selection->has_time || is_within(selection, analysis, instance);
}

static bool is_large(const struct selection *selection, const struct analysis *analysis,
		     size_t index)
{
	const struct finding *finding = &analysis->findings.items[index];
	int64_t saved_ns =
		analysis->check.has_estimates ? finding->lost.estimate_ns : finding->lost.high_ns;

	saved_ns = max_ns(saved_ns, analysis->in_order[index].saved_ns);
	return saved_ns >= selection->least_ns &&
	       (double)saved_ns >= selection->least_share * (double)analysis->check.untraced_ns;
}

bool selection_asks_instances(const struct selection *selection)
{
	return selection->kernel || selection->has_stream || selection->has_device ||
	       selection->has_time || selection->range;
}

static bool has_finding(const struct selection *selection, const struct trace *trace,
			const struct analysis *analysis, size_t index)
{
	const struct finding *finding = &analysis->findings.items[index];

	if (!is_large(selection, analysis, index) ||
	    (selection->site && !finding_is_like(finding, selection->site)))
		return false;
	if (!selection_asks_instances(selection))
		return true;
	for (size_t k = 0; k < finding_part_count(finding); k++) {
		const struct finding *part = finding_part(finding, k);

		for (size_t i = 0; i < part->instance_count; i++)
			if (has_instance(selection, trace, analysis, &part->instances[i]))
				return true;
	}
	return false;
}

/* What the fixes of the findings that are left save together. */
static struct stated weigh_shown(const struct analysis *analysis, const bool *are_hidden, bool all)
{
	const struct finding **shown = memory_array(analysis->findings.count, sizeof(*shown));
	struct stated lost = {0};
	size_t count = 0;

	for (size_t i = 0; i < analysis->findings.count; i++)
		if (!are_hidden[i] && !analysis->findings.items[i].costs_ns &&
		    (all || !analysis->findings.items[i].is_folded))
			shown[count++] = &analysis->findings.items[i];
	if (count)
		lost = whatif_replay(analysis, shown, count).saved;
	free(shown);
	return lost;
}

enum { PLACES_MOST = 4 };

/* Which lines there are instead of such ones; malloc'ed. NULL: there are such ones, or none at all. */
static char *describe_unmatched(const struct analysis *analysis, const char *asked,
				const char *pattern, bool all)
{
	char *places = NULL, *text;
	size_t count = 0;

	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];
		const char *slash = finding->site.file ? strrchr(finding->site.file, '/') : NULL;
		char *before = places;

		if (finding_is_like(finding, pattern)) {
			free(places);
			return NULL;
		}
		if ((finding->is_folded && !all) || !finding->site.file || count++ >= PLACES_MOST)
			continue;
		places = memory_format("%s%s%s:%d", before ? before : "", before ? ", " : "",
				       slash ? slash + 1 : finding->site.file, finding->site.line);
		free(before);
	}
	if (!places)
		return NULL;
	text = memory_format("Nothing matches --site=%s: there are %s%s.", asked, places,
			     count > PLACES_MOST ? " and others" : "");
	free(places);
	return text;
}

struct selected selection_apply(const struct selection *selection, const struct trace *trace,
				const struct analysis *analysis, bool all)
{
	char *site = pattern_of_part(selection->site), *kernel = pattern_of_part(selection->kernel);
	char *range = pattern_of_part(selection->range);
	struct selection parts = *selection;
	struct selected selected = {.are_hidden =
					    memory_array(analysis->findings.count, sizeof(bool))};
	size_t shown = 0;

	parts.site = site;
	parts.kernel = kernel;
	parts.range = range;
	for (size_t i = 0; i < analysis->findings.count; i++) {
		if (analysis->findings.items[i].is_folded && !all)
			continue;
		selected.are_hidden[i] = (selection->top && shown == selection->top) ||
					 !has_finding(&parts, trace, analysis, i);
		shown += !selected.are_hidden[i];
		selected.hidden_count += selected.are_hidden[i];
	}
	if (site && selected.hidden_count)
		selected.unmatched = describe_unmatched(analysis, selection->site, site, all);
	if (selected.hidden_count && analysis->check.has_estimates)
		selected.lost = weigh_shown(analysis, selected.are_hidden, all);
	free(range);
	free(kernel);
	free(site);
	return selected;
}

/* "off: ..." is why. */
void selection_note(const struct selection *selection, const struct trace *trace,
		    struct not_seen_list *not_seen)
{
	const char *status = trace_metadata(trace, "nvtx");
	const bool is_off = status && strcmp(status, "on") != 0;

	if (selection->range && !trace->range_count)
		not_seen_add(not_seen, memory_format("nvtx"),
			     memory_format("the trace has no NVTX ranges%s%s", is_off ? ": " : "",
					   is_off ? status : ""));
}
