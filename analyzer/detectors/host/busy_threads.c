#include "detectors/host/busy_threads.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/host/spins.h"

#include <stdlib.h>

static struct busy_thread *find_thread(const struct busy_threads *threads, uint32_t thread_id)
{
	size_t index = threads->count ? map_find(&threads->by_id, thread_id) : MAP_NONE;

	return index == MAP_NONE ? NULL : &threads->items[index];
}

static bool is_recorded(const struct trace *trace, const struct trace_thread_times *times)
{
	double all_ns = (double)(times->end_ns - times->start_ns);

	return (double)trace_recorded_between(trace, times->start_ns, times->end_ns) >=
	       SPIN_RECORDED_SHARE * all_ns;
}

static void take_times(struct busy_threads *threads)
{
	const struct trace *trace = threads->trace;

	threads->items = memory_array(trace->thread_times_count, sizeof(*threads->items));
	for (size_t i = 0; i < trace->thread_times_count; i++) {
		const struct trace_thread_times *times = &trace->thread_times[i];

		if (!is_recorded(trace, times))
			continue;
		map_add(&threads->by_id, times->thread_id, threads->count);
		threads->items[threads->count++] = (struct busy_thread){.times = times};
	}
}

static void add_polls(struct busy_threads *threads)
{
	struct spins spins = spins_find(threads->trace, NULL);

	for (size_t i = 0; i < spins.count; i++) {
		const struct spin *spin = &spins.items[i];
		struct busy_thread *thread = find_thread(threads, spin->first->form->thread_id);

		if (!thread)
			continue;
		thread->polls_ns += spin->last->end_ns - spin->first->start_ns;
		thread->pauses += spin->queries - 1;
	}
	spins_free(&spins);
}

/* By index in trace.calls, handed over with the work before the call: from its thread's call before
 * it. */
static void each_work(const struct busy_threads *threads,
		      void (*take)(void *context, const struct trace_call *call,
				   struct busy_thread *thread, struct span work),
		      void *context)
{
	const struct trace *trace = threads->trace;
	int64_t *ends_ns = memory_array(threads->count, sizeof(*ends_ns));

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		struct busy_thread *thread = find_thread(threads, call->form->thread_id);
		int64_t *end_ns = thread ? &ends_ns[thread - threads->items] : NULL;

		if (!thread)
			continue;
		if (*end_ns && call->start_ns > *end_ns)
			take(context, call, thread, (struct span){*end_ns, call->start_ns});
		*end_ns = max_ns(*end_ns, call->end_ns);
	}
	free(ends_ns);
}

static void add_work(void *context, const struct trace_call *call, struct busy_thread *thread,
		     struct span work)
{
	(void)context;
	(void)call;
	thread->work_ns += work.end_ns - work.start_ns;
}

double busy_threads_cpus(const struct trace *trace)
{
	const char *text = trace_metadata(trace, "host_cpus");
	double cpus = text ? strtod(text, NULL) : 0;

	return cpus >= 1 && cpus <= SPIN_MOST_CPUS ? cpus : 0;
}

/* While any of the threads was there. */
static double used_of(const struct busy_threads *threads)
{
	double cpus = busy_threads_cpus(threads->trace), cpu_ns = 0;
	int64_t start_ns = INT64_MAX, end_ns = 0;

	for (size_t i = 0; i < threads->count; i++) {
		start_ns = min_ns(start_ns, threads->items[i].times->start_ns);
		end_ns = max_ns(end_ns, threads->items[i].times->end_ns);
		cpu_ns += (double)threads->items[i].times->cpu_ns;
	}
	if (cpus <= 0 || end_ns <= start_ns)
		return 1;
	cpu_ns /= cpus * (double)(end_ns - start_ns);
	return cpu_ns < 1 ? cpu_ns : 1;
}

struct busy_threads busy_threads_find(const struct trace *trace)
{
	struct busy_threads threads = {.trace = trace};

	/* Of a sample's calls the counts are not. */
	if (!trace->thread_times_count || trace->is_sample)
		return threads;
	take_times(&threads);
	add_polls(&threads);
	each_work(&threads, add_work, NULL);
	threads.used = used_of(&threads);
	return threads;
}

void busy_threads_free(struct busy_threads *threads)
{
	map_free(&threads->by_id);
	free(threads->items);
}

/* The least share of its polls during which the thread was awake: it may have slept nowhere else,
 * or once each time before it got a processor. */
static double awake_share(const struct busy_thread *thread)
{
	const struct trace_thread_times *times = thread->times;
	const double asleep_ns =
		(double)(times->end_ns - times->start_ns - times->cpu_ns - times->ready_ns);
	double by_time, by_runs;

	if (!thread->pauses || thread->polls_ns <= 0)
		return 0;
	by_time = 1 - asleep_ns / (double)thread->polls_ns;
	by_runs = 1 - (double)times->runs / (double)thread->pauses;
	return by_time > by_runs ? by_time : by_runs;
}

static bool is_busy(const struct busy_thread *thread)
{
	return awake_share(thread) >= SPIN_AWAKE_SHARE;
}

bool busy_threads_polls(const struct busy_threads *threads, uint32_t thread_id)
{
	const struct busy_thread *thread = find_thread(threads, thread_id);

	return thread && is_busy(thread);
}

/* Awake, the thread was on a processor for this share of the time. */
static double on_cpu_share(const struct trace_thread_times *times)
{
	const double awake_ns = (double)times->cpu_ns + (double)times->ready_ns;

	return awake_ns > 0 ? (double)times->cpu_ns / awake_ns : 0;
}

void busy_spins_add(struct busy_spins *spins, const struct busy_threads *threads,
		    uint32_t thread_id, struct span span)
{
	const struct busy_thread *thread = find_thread(threads, thread_id);
	double cpu_ns;

	if (!thread || !is_busy(thread))
		return;
	cpu_ns = (double)(span.end_ns - span.start_ns) * on_cpu_share(thread->times);
	spins->likely_ns += cpu_ns;
	spins->least_ns += cpu_ns * awake_share(thread);
	covered_add(&spins->covered, span);
}

struct adding {
	struct busy_spins *spins;
	const struct busy_threads *threads;
};

static void add_beside(void *context, const struct trace_call *call, struct busy_thread *thread,
		       struct span work)
{
	const struct adding *adding = context;

	(void)call;
	if (!is_busy(thread))
		adding->spins->beside_ns[thread - adding->threads->items] +=
			covered_within(&adding->spins->covered, work);
}

void busy_spins_end(struct busy_spins *spins, const struct busy_threads *threads)
{
	struct adding adding = {spins, threads};

	if (!spins->covered.spans.count)
		return;
	covered_end(&spins->covered);
	spins->beside_ns = memory_array(threads->count, sizeof(*spins->beside_ns));
	each_work(threads, add_beside, &adding);
}

void busy_spins_free(struct busy_spins *spins)
{
	covered_free(&spins->covered);
	free(spins->beside_ns);
}

/* In which share of its work beside the spins the thread waited for a processor: at least as in all
 * of its work, more likely all of its waiting. */
static double waiting_share(const struct busy_spins *spins, const struct busy_threads *threads,
			    size_t thread, enum doubt doubt)
{
	const struct busy_thread *item = &threads->items[thread];
	const double ready_ns = (double)item->times->ready_ns;
	const double work_ns =
		(double)(doubt == DOUBT_KEEP ? item->work_ns : spins->beside_ns[thread]);

	return ready_ns < work_ns ? ready_ns / work_ns : 1;
}

static double waited_ns(const struct busy_spins *spins, const struct busy_threads *threads,
			enum doubt doubt)
{
	double sum_ns = 0;

	for (size_t i = 0; spins->beside_ns && i < threads->count; i++)
		sum_ns += (double)spins->beside_ns[i] * waiting_share(spins, threads, i, doubt);
	return sum_ns;
}

double busy_spins_taken_ns(const struct busy_spins *spins, const struct busy_threads *threads,
			   enum doubt doubt)
{
	const double cpu_ns =
		doubt == DOUBT_KEEP ? spins->least_ns * threads->used : spins->likely_ns;
	const double most_ns = waited_ns(spins, threads, doubt);

	return cpu_ns < most_ns ? cpu_ns : most_ns;
}

/* What each_work() hands over goes on as waits. */
struct taking {
	const struct busy_spins *spins;
	const struct busy_threads *threads;
	enum doubt doubt;
	double share; /* that the spins took, of what was waited for */
	void (*take)(void *context, const struct trace_call *call, int64_t waited_ns);
	void *context;
};

static void take_work(void *context, const struct trace_call *call, struct busy_thread *thread,
		      struct span work)
{
	const struct taking *taking = context;
	const size_t index = (size_t)(thread - taking->threads->items);
	double ns;

	if (is_busy(thread))
		return;
	ns = (double)covered_within(&taking->spins->covered, work) * taking->share *
	     waiting_share(taking->spins, taking->threads, index, taking->doubt);
	if (ns >= 1)
		taking->take(taking->context, call, (int64_t)ns);
}

void busy_spins_each(const struct busy_spins *spins, const struct busy_threads *threads,
		     enum doubt doubt,
		     void (*take)(void *context, const struct trace_call *call, int64_t waited_ns),
		     void *context)
{
	const double most_ns = waited_ns(spins, threads, doubt);
	struct taking taking = {.spins = spins,
				.threads = threads,
				.doubt = doubt,
				.take = take,
				.context = context};

	if (!(most_ns > 0))
		return;
	taking.share = busy_spins_taken_ns(spins, threads, doubt) / most_ns;
	each_work(threads, take_work, &taking);
}
