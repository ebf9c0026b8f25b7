#include "detectors/evidence/first_use.h"

#include "base/format.h"
#include "base/thresholds.h"
#include "trace/site.h"

#include <stdio.h>
#include <string.h>

/* It waits for a part of the device alone. */
static bool is_narrow(const struct trace_call *wait)
{
	return wait->form->function->class == CLASS_STREAM_SYNC ||
	       wait->form->function->class == CLASS_EVENT_SYNC ||
	       wait->form->function->class == CLASS_COPY;
}

/* The copy's first use, if it tells something about this wait: its watch began at the wait's
 * return, or before. If it began later, this wait did not cover the copy, or did so through an
 * event that another stream waited for, which the library does not follow. */
static const struct trace_first_use *find_first_use(const struct model *model,
						    const struct trace_call *wait,
						    const struct trace_operation *result)
{
	const struct trace_first_use *use = trace_first_use_of(model->trace, result);

	return use && (!use->wait || use->wait->start_ns <= wait->start_ns ||
		       (is_narrow(wait) && !model->trace->event_wait_count))
		       ? use
		       : NULL;
}

static bool is_covered_later(const struct trace_first_use *use, const struct trace_call *wait)
{
	return use->wait && use->wait->start_ns > wait->start_ns;
}

/* Before the wait had begun: it was not this one that let the host do so. */
static bool is_over(const struct trace_first_use *use, const struct trace_call *wait)
{
	return use->wait != wait && use->touch_ns < wait->start_ns;
}

static bool is_partial(const struct trace_first_use *use)
{
	return use->watched_bytes < use->copy->form->size_bytes || use->is_of_stranger;
}

enum first_use_answer first_use_ask(const struct model *model, const struct trace_call *wait,
				    const struct trace_operation *next,
				    const struct trace_operation *result)
{
	const struct trace_first_use *use = find_first_use(model, wait, result);

	if (!use)
		return FIRST_USE_UNKNOWN;
	if (is_over(use, wait) || is_covered_later(use, wait))
		return FIRST_USE_NOT_NEEDED;
	if (next && next->call && use->touch_ns < next->call->start_ns)
		return FIRST_USE_NEEDED;
	return is_partial(use) ? FIRST_USE_MAY_NEED : FIRST_USE_NOT_NEEDED;
}

/* Whether the thread waits for the result once more before the touch, and soon: a later wait counts
 * as one that the touch came before. */
static bool is_waited_for_again(const struct model *model, const struct trace_call *wait,
				const struct trace_first_use *use)
{
	const struct trace *trace = model->trace;

	for (const struct trace_call *call = wait + 1;
	     call < trace->calls + trace->call_count &&
	     (size_t)(call - wait) <= CALLS_MOST_LOOKED_AT && call->start_ns < use->touch_ns;
	     call++) {
		if (call->form->thread_id != wait->form->thread_id)
			continue;
		if (call->form->function->class == CLASS_DEVICE_SYNC ||
		    (call->form->function->class == CLASS_STREAM_SYNC &&
		     model_stream_of(model, call) == use->copy->form->stream))
			return true;
	}
	return false;
}

void first_use_label_begin(struct first_use_label *label)
{
	*label =
		(struct first_use_label){.judgement = JUDGED_UNKNOWN, .by_ns = FIRST_USE_NO_RESULT};
}

/* Of one result whose use is known. */
static enum first_use_judgement judge_result(const struct model *model,
					     const struct trace_call *wait,
					     const struct trace_first_use *use,
					     enum first_use_answer answer)
{
	if (answer == FIRST_USE_NEEDED)
		return JUDGED_NEEDED;
	return use->touch_ns == INT64_MAX || is_over(use, wait) ||
			       is_waited_for_again(model, wait, use)
		       ? JUDGED_REMOVABLE
		       : JUDGED_MOVABLE;
}

void first_use_label_add(struct first_use_label *label, const struct model *model,
			 const struct trace_call *wait, const struct trace_operation *next,
			 const struct trace_operation *result)
{
	enum first_use_answer answer = first_use_ask(model, wait, next, result);
	const struct trace_first_use *use = find_first_use(model, wait, result);
	enum first_use_judgement judgement;
	int64_t by_ns = 0;

	if (!model_result_bytes(model, result) || (use && is_covered_later(use, wait)))
		return;
	label->places++;
	if (answer == FIRST_USE_UNKNOWN) {
		if (label->judgement != JUDGED_NEEDED)
			*label = (struct first_use_label){.by_ns = FIRST_USE_NOT_KNOWN,
							  .places = label->places,
							  .watched = label->watched,
							  .relied_on = label->relied_on};
		return;
	}
	judgement = judge_result(model, wait, use, answer);
	label->watched += !is_partial(use);
	label->relied_on += judgement != JUDGED_REMOVABLE || use->kind == FIRST_USE_FREED;
	if (label->by_ns == FIRST_USE_NOT_KNOWN && answer != FIRST_USE_NEEDED)
		return;
	if (judgement != JUDGED_REMOVABLE)
		by_ns = use->touch_ns > wait->end_ns ? use->touch_ns - wait->end_ns : 0;
	label->is_partial |= answer == FIRST_USE_MAY_NEED;
	if (judgement < label->judgement ||
	    (judgement == label->judgement && by_ns >= label->by_ns))
		return;
	label->judgement = judgement;
	label->by_ns = by_ns;
	label->site = judgement == JUDGED_REMOVABLE ? NULL : use->site;
	label->kind = use->kind;
}

static const char *describe_touch(enum first_use_kind kind)
{
	switch (kind) {
	case FIRST_USE_READ:
		return "read";
	case FIRST_USE_WRITTEN:
		return "written";
	case FIRST_USE_SYSTEM_CALL:
		return "passed to a system call";
	default:
		return "no longer watched";
	}
}

void describe_first_use(const struct model *model, const struct first_use_label *label, char *text,
			size_t size)
{
	size_t used = strlen(text);
	struct site site = site_describe(model->trace, label->site, NULL);
	const char *slash = site.file ? strrchr(site.file, '/') : NULL;
	const char *part = label->is_partial ? " (as far as watched)" : "";
	char where[64] = "";
	struct format by;

	if (site.file)
		snprintf(where, sizeof(where), " at %.40s:%d", slash ? slash + 1 : site.file,
			 site.line);
	format_time(&by, label->by_ns > 0 ? label->by_ns : 0);
	if (label->judgement == JUDGED_REMOVABLE)
		snprintf(text + used, size - used,
			 "; removable%s: the results were not touched before the next wait", part);
	else if (label->judgement == JUDGED_MOVABLE)
		snprintf(text + used, size - used, "; can move by %s%s: then %s%s", by.text, part,
			 describe_touch(label->kind), where);
	else if (label->judgement == JUDGED_NEEDED)
		snprintf(text + used, size - used, "; needed: %s %s later%s",
			 describe_touch(label->kind), by.text, where);
}
