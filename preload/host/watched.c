#include "host/watched.h"

#include "recorder/recorder.h"

#include <string.h>

#define TASKS_MOST 1024	      /* that are asked for what they have run */
#define KEPT_NS	   1000000000 /* a thread is watched so long after it last ran */
#define RAN_NS	   50000      /* less is the work of being woken in vain */

/* What each thread of the process had used when the list was last made. */
static struct task {
	uint32_t id;
	int64_t cpu_ns, ran_ns;
} tasks[TASKS_MOST];
static int task_count;

static struct python_thread python_threads[PYTHON_THREADS_MOST];
static int python_count;

static struct watched *find_watched(struct watched_list *list, uint32_t id)
{
	for (int i = 0; i < list->count; i++)
		if (list->threads[i].id == id)
			return &list->threads[i];
	return NULL;
}

static void want_thread(struct watched_list *list, uint32_t id)
{
	struct watched *thread = find_watched(list, id);

	if (!thread) {
		if (list->count == WATCHED_MOST) {
			list->is_full = true;
			return;
		}
		thread = &list->threads[list->count++];
		*thread = (struct watched){.id = id, .counts = {-1, -1, -1}};
	}
	thread->is_wanted = true;
}

static void want_callers(struct watched_list *list)
{
	for (struct ring *ring = recorder_rings(); ring; ring = ring->next)
		if (atomic_load_explicit(&ring->state, memory_order_acquire) == RING_OWNED)
			want_thread(list,
				    atomic_load_explicit(&ring->thread_id, memory_order_relaxed));
}

static void want_python(struct watched_list *list)
{
	python_count = python_threads_find(python_threads, PYTHON_THREADS_MOST);
	for (int i = 0; i < python_count; i++)
		want_thread(list, python_threads[i].id);
}

static const struct task *find_task(const struct task *in, int count, uint32_t id, int from)
{
	for (int i = 0; i < count; i++)
		if (in[(from + i) % count].id == id)
			return &in[(from + i) % count];
	return NULL;
}

static void want_running(struct watched_list *list, int64_t now_ns)
{
	static struct task before[TASKS_MOST];
	static uint32_t ids[TASKS_MOST];
	const int count_before = task_count;
	const int listed = task_numbers("/proc/self/task", ids, TASKS_MOST);

	memcpy(before, tasks, sizeof(*tasks) * (size_t)task_count);
	task_count = listed < TASKS_MOST ? listed : TASKS_MOST;
	list->is_full |= listed > TASKS_MOST;
	for (int i = 0; i < task_count; i++) {
		/* The kernel lists threads in the same order each time. */
		const struct task *old = find_task(before, count_before, ids[i],
						   count_before ? i % count_before : 0);
		const int64_t cpu_ns = task_cpu_ns(ids[i]);

		/* What a thread had run before the first list is not of late. */
		const int64_t before_ns = old ? old->cpu_ns : count_before ? 0 : cpu_ns;

		tasks[i] = (struct task){ids[i], cpu_ns, old ? old->ran_ns : 0};
		if (cpu_ns - before_ns >= RAN_NS)
			tasks[i].ran_ns = now_ns;
		if (now_ns - tasks[i].ran_ns < KEPT_NS && ids[i] != list->own[0] &&
		    ids[i] != list->own[1])
			want_thread(list, ids[i]);
	}
}

static void join_python(struct watched_list *list)
{
	for (int i = 0; i < list->count; i++)
		list->threads[i].python = (struct python_thread){0};
	for (int i = 0; i < python_count; i++) {
		struct watched *thread = find_watched(list, python_threads[i].id);

		if (thread)
			thread->python = python_threads[i];
	}
}

void watched_renew(struct watched_list *list, int64_t now_ns,
		   void (*ended)(struct watched *thread, int64_t now_ns))
{
	int kept = 0;

	for (int i = 0; i < list->count; i++)
		list->threads[i].is_wanted = false;
	want_callers(list);
	want_python(list);
	want_running(list, now_ns);
	for (int i = 0; i < list->count; i++) {
		if (list->threads[i].is_wanted)
			list->threads[kept++] = list->threads[i];
		else
			ended(&list->threads[i], now_ns);
	}
	list->count = kept;
	join_python(list);
}

void watched_after_fork(void)
{
	task_count = python_count = 0;
}
