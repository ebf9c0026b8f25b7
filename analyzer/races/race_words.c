#include "races/race_words.h"

#include "base/format.h"
#include "base/memory.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <stdlib.h>

const struct trace_call *race_call_of(const struct trace_operation *operation)
{
	return operation->form->node_call ? operation->form->node_call : operation->call;
}

char *race_operation_text(const struct trace *trace, const struct trace_operation *operation)
{
	const struct trace_call *call = race_call_of(operation);
	const bool is_kernel = operation->form->kind == OPERATION_KERNEL && operation->form->name;
	struct site site = site_describe(trace, call->form->site, operation->form->name);
	char *where = trace_text_site(trace, &site), *text;
	struct short_name name;

	text = memory_format("%s%s at %s", is_kernel ? "kernel " : "",
			     is_kernel ? short_name(&name, operation->form->name, SHORT_NAME_KERNEL)
				       : call->form->function->name,
			     where);
	free(where);
	return text;
}

static char *call_text(const struct trace *trace, const struct trace_call *call)
{
	struct site site = site_describe(trace, call->form->site, NULL);
	char *where = trace_text_site(trace, &site);
	char *text = memory_format("%s at %s", call->form->function->name, where);

	free(where);
	return text;
}

struct site race_second_site(const struct trace *trace, const struct race *race)
{
	if (race->touch)
		return site_describe(trace, race->touch->site, NULL);
	if (race->release)
		return site_describe(trace, race->release->form->site, NULL);
	return site_describe(trace, race_call_of(race->second)->form->site,
			     race->second->form->name);
}

/* Of a kernel only the pointers are known that it was given. */
static const char *access_verb(const struct trace_operation *operation, bool writes)
{
	if (operation->form->kind == OPERATION_KERNEL)
		return writes ? "may write" : "may read";
	return writes ? "writes" : "reads";
}

/* "both ran at once for 310 us" */
static char *margin_text(const struct race *race)
{
	struct format time;

	if (race->margin_ns < 0)
		return memory_format(race->second ? "both ran at once for %s"
						  : "%s before the work had ended",
				     format_time(&time, -race->margin_ns));
	return memory_format("%s apart in this run", format_time(&time, race->margin_ns));
}

/* What orders the two, or what to write so that something does. */
static char *order_text(const struct trace *trace, const struct race *race)
{
	char *luck, *text;

	if (race->certainty != RACE_BY_LUCK)
		return memory_format(
			"%s",
			race->second
				? "nothing orders them: cudaEventRecord() behind the first, "
				  "cudaStreamWaitEvent() before the second"
				: "nothing orders them: wait for the stream before the release, "
				  "or release with cudaFreeAsync() in its stream");
	if (!race->luck)
		return memory_format("only the barrier of the legacy default stream orders them");
	luck = call_text(trace, race->luck);
	text = race->luck == race->release ? memory_format("only its own wait orders them")
					   : memory_format("only the wait in %s orders them", luck);
	free(luck);
	return text;
}

static const char *touch_verb(const struct trace_copy_watch *touch)
{
	switch (touch->kind) {
	case FIRST_USE_READ:
		return "read";
	case FIRST_USE_WRITTEN:
		return "written";
	case FIRST_USE_FREED:
		return "given back";
	default:
		return touch->is_source ? "overwritten by a system call"
					: "passed to a system call";
	}
}

/* What orders the touch, or what to write so that something does. */
static char *touch_order_text(const struct trace *trace, const struct race *race)
{
	char *luck = race->luck ? call_text(trace, race->luck) : NULL;
	char *text = luck ? memory_format("only the wait in %s orders them", luck)
			  : memory_format("nothing orders them: cudaEventSynchronize() or "
					  "cudaStreamSynchronize() between the two");

	free(luck);
	return text;
}

/* "source written at a.cu:40 0.31 ms before its copy (a.cu:31) had ended; nothing orders them: ..." */
static char *touch_sentence(const struct trace *trace, const struct race *race)
{
	const struct site at = race_second_site(trace, race);
	const struct site of = site_describe(trace, race_call_of(race->first)->form->site, NULL);
	char *where = trace_text_site(trace, &at), *copy = trace_text_site(trace, &of);
	char *order = touch_order_text(trace, race);
	const bool is_source = race->touch->is_source;
	struct format time;
	char *text = memory_format(
		"%s %s at %s %s %s %s copy (%s) had ended; %s", is_source ? "source" : "results",
		touch_verb(race->touch), where,
		format_time(&time, race->margin_ns < 0 ? -race->margin_ns : race->margin_ns),
		race->margin_ns < 0 ? "before" : "after", is_source ? "its" : "their", copy, order);

	free(where);
	free(copy);
	free(order);
	return text;
}

/* "memory given to kernel gather at a.cu:20 is written at a.cu:17, 2.10 ms before the kernel ended; nothing orders them: ..." */
static char *kernel_touch_sentence(const struct trace *trace, const struct race *race)
{
	const struct site at = race_second_site(trace, race);
	char *where = trace_text_site(trace, &at),
	     *kernel = race_operation_text(trace, race->first);
	char *order = touch_order_text(trace, race);
	struct format time;
	char *text = memory_format(
		"memory given to %s is %s at %s, %s %s the kernel ended; %s", kernel,
		touch_verb(race->touch), where,
		format_time(&time, race->margin_ns < 0 ? -race->margin_ns : race->margin_ns),
		race->margin_ns < 0 ? "before" : "after", order);

	free(where);
	free(kernel);
	free(order);
	return text;
}

static char *pair_sentence(const struct trace *trace, const struct race *race)
{
	char *first = race_operation_text(trace, race->first);
	char *second = race->second ? race_operation_text(trace, race->second)
				    : call_text(trace, race->release);
	char *margin = margin_text(race), *order = order_text(trace, race), *text;

	text = memory_format(
		"%s %s what %s %s: %s; %s", first, access_verb(race->first, race->first_writes),
		second, race->second ? access_verb(race->second, race->second_writes) : "releases",
		margin, order);
	free(first);
	free(second);
	free(margin);
	free(order);
	return text;
}

char *reliance_sentence(const struct trace *trace, const struct reliance *reliance)
{
	char *wait = reliance->wait ? call_text(trace, reliance->wait)
				    : memory_format("the barrier of the legacy default stream");
	char *first = race_operation_text(trace, reliance->first);
	char *second = race_operation_text(trace, reliance->second);
	char *text =
		memory_format("%s alone orders %s, which %s, before %s, which %s the same "
			      "memory",
			      wait, first, access_verb(reliance->first, reliance->first_writes),
			      second, access_verb(reliance->second, reliance->second_writes));

	free(second);
	free(first);
	free(wait);
	return text;
}

char *race_sentence(const struct trace *trace, const struct race *race)
{
	if (!race->touch)
		return pair_sentence(trace, race);
	return race->first->form->kind == OPERATION_KERNEL ? kernel_touch_sentence(trace, race)
							   : touch_sentence(trace, race);
}
