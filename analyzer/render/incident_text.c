#include "render/incident_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/host_text.h"
#include "render/render.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A row of a table is this share of the extra time at least. */
static const double shown_share = 0.02;

/* A call looked at for this share of its time was in one state. */
static const double inside_share = 0.5;

static struct host_texts texts_of(const struct incident *incident)
{
	return (struct host_texts){incident->trace, incident->parts->record, false};
}

/* Takes over both. */
static char *join_texts(char *before, char *behind)
{
	char *text = memory_format("%s%s", before, behind ? behind : "");

	free(before);
	free(behind);
	return text;
}

static char *site_text(const struct incident *incident, const struct site *site)
{
	return render_site(incident->trace, site);
}

const char *incident_cause_word(enum incident_cause cause)
{
	static const char *const words[] = {
		[INCIDENT_SLOW_STEP] = "slow-step", [INCIDENT_HANG] = "hang",
		[INCIDENT_SIGNAL] = "signal",	    [INCIDENT_TRIGGER] = "trigger",
		[INCIDENT_OTHER] = "other",
	};

	return words[cause];
}

static bool is_inside(const struct step_part *part)
{
	return part->inside.state && part->longest &&
	       (double)part->inside.ns >
		       inside_share * (double)(part->longest->end_ns - part->longest->start_ns);
}

/* What a thread was found waiting for: a file's path, "pipe". */
static char *waiting_for_io(const char *name)
{
	return name ? memory_format("waiting for I/O on %s", name)
		    : memory_format("waiting for I/O");
}

/* What looks found inside of the call; NULL: nothing that says more than the call. */
static char *inside_text(const struct step_part *part)
{
	const struct trace_host_state *state = part->inside.state;

	if (!is_inside(part))
		return NULL;
	if (part->inside.doing == HOST_FRAME_COMPILE)
		return memory_format("compiling");
	switch (state->state) {
	case HOST_STATE_THREAD:
		return memory_format("waiting for a %s", host_is_lock(state) ? "lock" : "thread");
	case HOST_STATE_INPUT:
		return waiting_for_io(state->name);
	case HOST_STATE_KERNEL:
		return memory_format("in the kernel%s%s%s", state->name ? " (" : "",
				     state->name ? state->name : "", state->name ? ")" : "");
	default:
		return NULL;
	}
}

static char *work_text(const struct step_part *part)
{
	switch (part->kind) {
	case HOST_KIND_COMPILE:
		return memory_format("compiling");
	case HOST_KIND_FILE:
		return memory_format("reading files");
	case HOST_KIND_FAULTS:
		return memory_format("in page faults");
	default:
		return memory_format("running");
	}
}

/* Of a thread between two calls, by the kind and the state that it was found in. */
static char *state_text(const struct step_part *part)
{
	const struct trace_host_state *state = part->state;

	if (part->kind == HOST_KIND_COMPILE)
		return memory_format("compiling");
	switch (state->state) {
	case HOST_STATE_RUNNING:
		return work_text(part);
	case HOST_STATE_THREAD:
		return memory_format("waiting for a %s", host_is_lock(state) ? "lock" : "thread");
	case HOST_STATE_INTERPRETER:
		return memory_format("waiting for the interpreter's lock");
	case HOST_STATE_INPUT:
		return waiting_for_io(state->name);
	case HOST_STATE_CHILD:
		return memory_format("waiting for a child process");
	default:
		return host_state_phrase(part->doing);
	}
}

char *incident_text_what(const struct incident *incident, const struct step_part *part)
{
	char *thread, *text;

	switch (part->what) {
	case PART_CALL:
		if (!part->is_elsewhere)
			return memory_format("%s", part->function->name);
		thread = trace_text_thread(incident->trace, part->thread_id);
		text = memory_format("%s, %s", part->function->name, thread);
		free(thread);
		return text;
	case PART_STATE:
		return state_text(part);
	case PART_READY:
		return memory_format("without a processor");
	case PART_STOPPED:
		return memory_format("the whole process stopped");
	default:
		return part->function ? memory_format("own code before %s", part->function->name)
				      : memory_format("own code");
	}
}

char *incident_text_where(const struct incident *incident, const struct step_part *part)
{
	const struct host_texts texts = texts_of(incident);

	if (part->what == PART_STOPPED || (!part->site.file && !part->site.module))
		return memory_format("%s", "");
	return part->what == PART_STATE ? host_place(&texts, &part->site)
					: site_text(incident, &part->site);
}

/* "kernel "work"", or the call where it is no kernel or its name is not known. */
static char *work_name(const struct incident *incident)
{
	const struct step_part *other = incident->other;
	struct short_name name;

	if (incident->kernel)
		return memory_format("kernel \"%s\"",
				     short_name(&name,
						trace_demangle(incident->trace, incident->kernel),
						SHORT_NAME_KERNEL));
	return memory_format("%s", other->function->name);
}

/* " (normal: 8.39 MB)", or that a normal step has none. */
static char *beside_normal(const struct incident *incident, const struct step_part *part)
{
	struct format slow, normal;

	if (!part->normal.count)
		return memory_format(", which normal steps do not call");
	if (part->slow.bytes)
		return memory_format(" (normal: %s)",
				     format_bytes(&normal, (uint64_t)step_part_normal_bytes(
								   incident->parts, part)));
	return memory_format(
		" (%s times; normal: %s)", format_count(&slow, part->slow.count),
		format_count(&normal,
			     (uint64_t)(step_part_normal_count(incident->parts, part) + 0.5)));
}

static char *other_work(const struct incident *incident)
{
	const struct step_part *other = incident->other;
	char *where = site_text(incident, &other->site), *name = work_name(incident);
	char *normal = beside_normal(incident, other), *text;
	struct format bytes;

	if (incident->reason == REASON_OTHER_COPY)
		text = memory_format(" behind %s of %s at %s%s", name,
				     format_bytes(&bytes, other->slow.bytes), where, normal);
	else
		text = memory_format(" behind %s at %s%s", name, where, normal);
	free(normal);
	free(name);
	free(where);
	return text;
}

static char *pending_work(const struct incident *incident)
{
	char *where = site_text(incident, &incident->other->site), *name = work_name(incident);
	const bool is_new = incident->parts->normal_count && !incident->cause->normal.count;
	const bool is_alike = incident->parts->normal_count && incident->other->normal.count;
	struct format count;
	char *text = memory_format(
		"%s behind %s at %s%s%s%s%s", is_new ? ", which normal steps do not call," : "",
		name, where, incident->pending_count > 1 ? ", the longest of " : "",
		incident->pending_count > 1 ? format_count(&count, incident->pending_count) : "",
		incident->pending_count > 1 ? " operations since the last wait" : "",
		incident->collective_count
			? "; collectives are among them: another rank can be late"
		: is_alike ? ", as in a normal step"
			   : "");

	free(name);
	free(where);
	return text;
}

static char *first_launch(const struct incident *incident)
{
	const char *when = incident->reason == REASON_LOOKED_UP ? ", right before" : ",";
	struct short_name name;

	if (!incident->kernel)
		return memory_format(
			"%s the first launch of its kernel in this trace: its code may "
			"have been loaded then",
			when);
	return memory_format(
		"%s the first launch of kernel \"%s\" in this trace: its code may have been "
		"loaded then",
		when,
		short_name(&name, trace_demangle(incident->trace, incident->kernel),
			   SHORT_NAME_KERNEL));
}

static char *read_text(const struct incident *incident)
{
	const struct step_parts *parts = incident->parts;
	struct format read, normal;

	return memory_format("; the thread read %s from storage (normal: %s)",
			     format_bytes(&read, (uint64_t)parts->slow_read_bytes),
			     format_bytes(&normal, (uint64_t)step_parts_normal_read(parts)));
}

/* Who ran during waits for a thread; NULL: nobody alone. */
static char *while_others(const struct incident *incident, const struct step_part *part)
{
	const struct host_other *alone = host_others_alone(&part->others);
	const struct host_texts texts = texts_of(incident);
	bool is_outside;
	char *other, *text;

	if (!alone)
		return NULL;
	/* Then its text says what it did. */
	is_outside = !alone->call && host_is_outside(texts.record->doings[alone->doing].state);
	other = host_other_text(&texts, alone);
	text = memory_format(" while %s%s", other, is_outside ? "" : " ran");
	free(other);
	return text;
}

static char *freed_text(const struct incident *incident)
{
	char *where = site_text(incident, &incident->other->site);
	char *normal = beside_normal(incident, incident->other);
	char *text =
		memory_format(" after %s at %s%s", incident->other->function->name, where, normal);

	free(normal);
	free(where);
	return text;
}

static char *reason_text(const struct incident *incident)
{
	const struct step_part *cause = incident->cause;
	char *where, *text;
	struct format bytes;

	switch (incident->reason) {
	case REASON_OTHER_COPY:
	case REASON_OTHER_LAUNCH:
		return other_work(incident);
	case REASON_PENDING:
		return pending_work(incident);
	case REASON_FIRST_LAUNCH:
	case REASON_LOOKED_UP:
		return first_launch(incident);
	case REASON_READ:
		return read_text(incident);
	case REASON_FREED:
		return freed_text(incident);
	case REASON_LARGER:
		where = beside_normal(incident, cause);
		text = memory_format(", of %s%s", format_bytes(&bytes, cause->slow.bytes), where);
		free(where);
		return text;
	default:
		if (cause->what == PART_CALL && incident->parts->normal_count &&
		    !cause->normal.count)
			return memory_format(", which normal steps do not call");
		return while_others(incident, cause);
	}
}

/* "cudaMalloc", or "cudaMalloc (800 ms) and other calls" of its line. */
static char *cause_what(const struct incident *incident)
{
	char *what = incident_text_what(incident, incident->cause);
	struct format part;

	if (!incident->line_ns)
		return what;
	return join_texts(what, memory_format(" (%s) and other calls",
					      format_time(&part, incident->cause->extra_ns)));
}

/* "in cudaMalloc at loader.py:77", "waiting for a lock at train.py:9". */
static char *cause_phrase(const struct incident *incident)
{
	const struct step_part *cause = incident->cause;
	char *what = cause_what(incident);
	char *where = incident_text_where(incident, cause);
	char *inside = cause->what == PART_CALL ? inside_text(cause) : NULL;
	struct format faults;
	char *text;

	if (cause->what == PART_STOPPED)
		text = memory_format("in which the whole process was stopped (SIGSTOP, a debugger "
				     "or the machine)");
	else if (cause->what == PART_READY)
		text = memory_format("without a processor, which other threads or programs had%s%s",
				     *where ? ", at " : "", where);
	else if (cause->what == PART_STATE && cause->kind == HOST_KIND_FAULTS &&
		 cause->slow.faults >= 1)
		text = memory_format("%s (%s of them) at %s", what,
				     format_count(&faults, (uint64_t)cause->slow.faults), where);
	else
		text = memory_format("%s%s%s%s%s%s%s%s",
				     cause->what == PART_CALL	  ? "in "
				     : cause->what == PART_UNSEEN ? "in "
								  : "",
				     what, *where ? " at " : "", where, inside ? ", " : "",
				     inside ? inside : "",
				     cause->what == PART_UNSEEN ? ", not looked at" : "", "");
	free(inside);
	free(where);
	free(what);
	return text;
}

char *incident_text_cause(const struct incident *incident)
{
	struct format extra;
	char *phrase;

	if (!incident->cause)
		return NULL;
	phrase = cause_phrase(incident);
	return join_texts(
		join_texts(memory_format("%s%s ",
					 format_time(&extra, incident->line_ns
								     ? incident->line_ns
								     : incident->cause->extra_ns),
					 incident->cause->normal.ns ? " more" : ""),
			   phrase),
		reason_text(incident));
}

/* "; 212 steps before it were normal", or "". */
static char *normal_before(const struct incident *incident)
{
	const int64_t count = incident->row->normal_before;
	struct format text;

	if (count <= 0)
		return memory_format("%s", "");
	return memory_format("; %s step%s before it %s normal",
			     format_count(&text, (uint64_t)count), count == 1 ? "" : "s",
			     count == 1 ? "was" : "were");
}

/* " (median 410 ms)", or "". */
static char *median_text(const struct incident *incident)
{
	struct format median;

	if (incident->row->median_ns < 0)
		return memory_format("%s", "");
	return memory_format(" (median %s)", format_time(&median, incident->row->median_ns));
}

/* "by signal: ", or "" where the step is why. */
static const char *asked_by(const struct incident *incident)
{
	switch (incident->row->cause) {
	case INCIDENT_SIGNAL:
		return "asked for by a signal: ";
	case INCIDENT_TRIGGER:
		return "asked for by streamtrace trigger: ";
	default:
		return "";
	}
}

static char *step_text(const struct incident *incident)
{
	char *median = median_text(incident), *cause = incident_text_cause(incident);
	char *before = normal_before(incident);
	struct format number, took;
	char *text =
		memory_format("%sstep %s took %s%s%s%s%s", asked_by(incident),
			      format_count(&number, (uint64_t)incident->step->number),
			      format_time(&took, incident->step->end_ns - incident->step->start_ns),
			      median, cause ? ": " : "", cause ? cause : "", before);

	free(before);
	free(cause);
	free(median);
	return text;
}

/* Of a call that has not returned; its line is not known where its stack is not. */
static char *hang_text(const struct incident *incident)
{
	const struct trace_incident *row = incident->row;
	const struct site site = site_describe(incident->trace, row->site, NULL);
	char *where = site_text(incident, &site), *before = normal_before(incident);
	struct format time, number;
	char *text = memory_format(
		"%s%s%s %s %s%s%s%s", row->function ? row->function->name : "a call",
		row->site ? " at " : "", row->site ? where : "",
		incident->is_over ? "took" : "has not returned for",
		format_time(&time, incident->hangs_ns), row->step >= 0 ? " in step " : "",
		row->step >= 0 ? format_count(&number, (uint64_t)row->step) : "", before);

	free(before);
	free(where);
	return text;
}

/* The step had not ended, or there are no steps. */
static char *unfinished_text(const struct incident *incident)
{
	const struct trace_incident *row = incident->row;
	char *median = median_text(incident), *before = normal_before(incident), *text;
	struct format number;

	if (row->step >= 0)
		text = memory_format("%sstep %s had not ended when the trace did%s%s",
				     asked_by(incident), format_count(&number, (uint64_t)row->step),
				     median, before);
	else
		text = memory_format("%sno steps are known", asked_by(incident));
	free(before);
	free(median);
	return text;
}

char *incident_text(const struct incident *incident)
{
	if (incident->row->cause == INCIDENT_HANG)
		return hang_text(incident);
	return incident->step ? step_text(incident) : unfinished_text(incident);
}

char *incident_text_line(const struct incident *incident)
{
	char *text = incident_text(incident);

	if (incident->row->cause != INCIDENT_HANG)
		*text = (char)toupper((unsigned char)*text);
	return text;
}

char *incident_text_title(const struct incident *incident)
{
	const size_t count = incident->parts->normal_count;
	struct format text;

	if (!count)
		return memory_format("Where the step's time went (the trace has no normal step to "
				     "compare with):");
	return memory_format("Where its time went, against the %s%s normal step%s:",
			     count == 1 ? "" : "mean of ", format_count(&text, count),
			     count == 1 ? "" : "s");
}

bool incident_shows(const struct incident *incident, const struct step_part *part, bool all)
{
	const bool is_new =
		incident->parts->normal_count && part->slow.count && !part->normal.count;

	if (all)
		return part->slow.ns > 0 || part->slow.count > 0;
	return is_new || part == incident->other ||
	       (double)part->extra_ns > shown_share * (double)incident->extra_ns;
}
