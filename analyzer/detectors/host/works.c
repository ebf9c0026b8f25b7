#include "detectors/host/works.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "detectors/evidence/launch_sequences.h"
#include "detectors/host/workers.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* The host's work before a call, with the idle time in it. */
struct work {
	const struct trace_call *since, *call;
	const struct trace_call *before; /* the call of this line and thread before it, or NULL */
	const struct trace_operation *operation;
	struct span idle; /* from the first idle piece to the last */
	int64_t idle_ns;
	struct work_part part;
};

struct finding_work {
	const struct model *model;
	struct map by_call; /* to works */
	VECTOR(struct work) works;
	VECTOR(const struct trace_operation *) results; /* by their ends */
	uint32_t runs;					/* so far: struct host_work */
	const struct works_wanted *wanted;
};

static void add_work(struct finding_work *finding, const struct idle_piece *piece)
{
	struct work work = {.since = piece->from,
			    .call = piece->call,
			    .operation = piece->operation,
			    .idle = piece->span,
			    .idle_ns = piece->span.end_ns - piece->span.start_ns};

	if (!finding->wanted->is_wanted(finding->wanted->context, piece, &work.part))
		return;
	map_add(&finding->by_call, (uint64_t)(piece->call - finding->model->trace->calls),
		finding->works.count);
	*vector_add(&finding->works) = work;
}

static void note_work(struct finding_work *finding, const struct idle_piece *piece)
{
	const struct trace *trace = finding->model->trace;
	size_t found = map_find(&finding->by_call, (uint64_t)(piece->call - trace->calls));
	struct work *work;

	if (found == MAP_NONE) {
		add_work(finding, piece);
		return;
	}
	assert(finding->works.items); /* it has that number */
	work = &finding->works.items[found];
	work->idle.start_ns = min_ns(work->idle.start_ns, piece->span.start_ns);
	work->idle.end_ns = max_ns(work->idle.end_ns, piece->span.end_ns);
	work->idle_ns += piece->span.end_ns - piece->span.start_ns;
}

static int compare_ends(const void *a, const void *b)
{
	const struct trace_operation *const *x = a, *const *y = b;

	return ((*x)->end_ns > (*y)->end_ns) - ((*x)->end_ns < (*y)->end_ns);
}

static void collect_results(struct finding_work *finding)
{
	const struct trace *trace = finding->model->trace;

	for (size_t i = 0; i < trace->operation_count; i++)
		if (model_result_bytes(finding->model, &trace->operations[i]))
			*vector_add(&finding->results) = &trace->operations[i];
	vector_sort(&finding->results, compare_ends);
}

/* Whether the host is seen not to have touched the result before the call. */
static bool is_untouched(const struct trace *trace, const struct trace_operation *result,
			 const struct trace_call *call)
{
	const struct trace_first_use *use = trace_first_use_of(trace, result);

	return use && use->wait && use->touch_ns >= call->start_ns &&
	       (trace_is_touch(use->kind) || use->kind == FIRST_USE_NEVER);
}

/* Whether the work can have needed a result that came back since the call. */
static bool can_need_result(const struct finding_work *finding, const struct work *work,
			    const struct trace_call *since)
{
	size_t low = search(finding->results.count, i,
			    finding->results.items[i]->end_ns <= since->start_ns);

	for (size_t i = low; i < finding->results.count; i++) {
		const struct trace_operation *result = finding->results.items[i];

		if (result->end_ns > work->call->start_ns)
			return false;
		if (i - low >= READ_MOST_RESULTS ||
		    !is_untouched(finding->model->trace, result, work->call))
			return true;
	}
	return false;
}

/* A line's calls in one thread, and in those that serve it. */
struct line {
	size_t times, calls; /* with work before them; in all so far */
	const struct trace_call *last;
	const struct trace_call *judged; /* the last one that is an instance, or NULL */
	uint32_t run, number;		 /* the run (struct host_work) of `judged`; of the line */
};

static uint64_t site_key(const struct model *model, const struct trace_call *call)
{
	const struct trace_site *site = call->form->site;
	const uint64_t number = site ? (uint64_t)(site - model->trace->sites) + 1 : 0;

	return number << 32 | host_chains_head(model->host_chains, call->form->thread_id);
}

static uint64_t line_key(const struct finding_work *finding, const struct work *work)
{
	if (!finding->wanted->is_seen)
		return site_key(finding->model, work->call);
	return (uint64_t)work->part.line << 32 |
	       host_chains_head(finding->model->host_chains, work->call->form->thread_id);
}

static size_t line_of(struct map *lines, uint64_t key)
{
	size_t line = map_find(lines, key);

	if (line == MAP_NONE) {
		line = lines->count;
		map_add(lines, key, line);
	}
	return line;
}

static void judge_work(struct finding_work *finding, const struct work *work, struct line *line,
		       struct instances *found)
{
	const struct work_part *part = &work->part;
	const int64_t idle_ns = max_ns(0, work->idle_ns - part->kept_idle_ns);
	struct host_work detail = {.since = work->since,
				   .before = work->before,
				   .idle_ns = idle_ns,
				   .kept_ns = part->kept_ns,
				   .garbage_ns = part->garbage_ns,
				   .fewest = 1,
				   .usual = 1,
				   .most = 1,
				   .line = line->number,
				   .is_of_others = finding->wanted->is_of_others};

	if (can_need_result(finding, work, work->before)) {
		instance_add_doubtful(found, finding->model->trace, work->idle.start_ns, idle_ns);
		return;
	}
	if (!line->judged || can_need_result(finding, work, line->judged))
		line->run = finding->runs++;
	line->judged = work->call;
	detail.run = line->run;
	instance_add(found,
		     (struct instance){.span = {work->idle.start_ns, work->idle.start_ns + idle_ns},
				       .reach = work->idle,
				       .reach_of_both = work->idle,
				       .site_call = work->call,
				       .place = part->place,
				       .call = work->call,
				       .operation = work->operation,
				       .detail = INSTANCE_DETAIL_OF(detail)});
}

/* Of the call sites with work behind it: how many calls they have, and which came before each with
 * work. */
static void count_calls(struct finding_work *finding, const struct map *by_site, struct line *lines)
{
	const struct trace *trace = finding->model->trace;

	for (size_t i = 0; finding->works.count && i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t line = map_find(by_site, site_key(finding->model, call));
		size_t work = map_find(&finding->by_call, i);

		if (line == MAP_NONE)
			continue;
		if (work != MAP_NONE)
			finding->works.items[work].before = lines[line].last;
		lines[line].calls++;
		lines[line].last = call;
	}
}

static int compare_works(const void *a, const void *b)
{
	const struct work *x = a, *y = b;

	return (x->call > y->call) - (x->call < y->call);
}

/* Where the works tell their line, the one before is that of the line, whichever call came behind
 * it; before the first of a line it is as count_calls() found it. */
static struct line *count_works(struct finding_work *finding, struct map *by_line)
{
	struct line *lines = memory_array(finding->works.count, sizeof(*lines));

	vector_sort(&finding->works, compare_works);
	for (size_t i = 0; i < finding->works.count; i++) {
		struct work *work = &finding->works.items[i];
		const size_t number = line_of(by_line, line_key(finding, work));
		struct line *line = &lines[number];

		line->number = (uint32_t)number;
		if (line->last)
			work->before = line->last;
		line->last = work->call;
		line->calls = ++line->times;
	}
	return lines;
}

static void judge_lines(struct finding_work *finding, struct map *by_line, struct line *lines,
			struct instances *found)
{
	for (size_t i = 0; i < finding->works.count; i++) {
		const struct work *work = &finding->works.items[i];
		struct line *line = &lines[line_of(by_line, line_key(finding, work))];

		if (work->before && line->times >= REPEAT_LEAST_TIMES &&
		    2 * line->times >= line->calls)
			judge_work(finding, work, line, found);
	}
}

static void judge_all(struct finding_work *finding, struct instances *found)
{
	struct line *sites = memory_array(finding->works.count, sizeof(*sites)), *lines = sites;
	struct map by_site = {0}, by_line = {0};

	for (size_t i = 0; i < finding->works.count; i++) {
		size_t number =
			line_of(&by_site, site_key(finding->model, finding->works.items[i].call));

		sites[number].number = (uint32_t)number;
		sites[number].times++;
	}
	count_calls(finding, &by_site, sites);
	if (finding->wanted->is_seen)
		lines = count_works(finding, &by_line);
	judge_lines(finding, finding->wanted->is_seen ? &by_line : &by_site, lines, found);
	if (lines != sites)
		free(lines);
	free(sites);
	map_free(&by_site);
	map_free(&by_line);
}

void works_find(const struct observed *observed, const struct works_wanted *wanted,
		struct instances *found)
{
	struct finding_work finding = {.model = observed->model, .wanted = wanted};

	for (size_t i = 0; i < observed->host_gaps.count; i++)
		note_work(&finding, &observed->host_gaps.pieces[i]);
	collect_results(&finding);
	judge_all(&finding, found);
	workers_choose(observed, wanted->is_seen, found);
	vector_free(&finding.results);
	vector_free(&finding.works);
	map_free(&finding.by_call);
}

void works_edit_all(const struct observed *observed, const struct instance *instances, size_t count,
		    enum doubt doubt, struct edits *edits)
{
	workers_edit(observed, instances, count, doubt, SIZE_MAX, edits);
}

/* The largest number of workers of a line. */
static size_t usual_workers(const struct instance *instances, size_t count)
{
	size_t usual = 1;

	for (size_t i = 0; i < count; i++) {
		size_t workers = instance_detail(&instances[i], struct host_work).usual;

		usual = workers > usual ? workers : usual;
	}
	return usual;
}

/* False: the fix has no more workers. */
static bool prepare_by(const struct observed *observed, const struct instance *instances,
		       size_t count, size_t workers, struct edits *edits)
{
	workers_edit(observed, instances, count, DOUBT_WEIGH, workers, edits);
	return workers < usual_workers(instances, count);
}

bool works_by_one(const struct observed *observed, const struct instance *instances, size_t count,
		  struct edits *edits)
{
	return prepare_by(observed, instances, count, 1, edits);
}

bool works_by_two(const struct observed *observed, const struct instance *instances, size_t count,
		  struct edits *edits)
{
	return prepare_by(observed, instances, count, 2, edits);
}

bool works_by_four(const struct observed *observed, const struct instance *instances, size_t count,
		   struct edits *edits)
{
	return prepare_by(observed, instances, count, 4, edits);
}

void works_assume(const struct instance *instances, size_t count, char *text, size_t size)
{
	const size_t workers = usual_workers(instances, count);
	const bool is_of_others =
		count && instance_detail(instances, struct host_work).is_of_others;

	if (is_of_others)
		snprintf(text, size, "with %zu times as many workers", workers);
	else
		snprintf(text, size, "with %zu worker%s", workers, workers == 1 ? "" : "s");
}
