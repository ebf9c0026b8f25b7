#include "job/joint.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <math.h>
#include <stdlib.h>

#define SELF_CHECK_SHARE 0.05

/* What ends come to, each after those that it depends on. */
enum visit { UNSEEN, UNDER_WAY, DONE };

struct visiting {
	const struct paths *paths;
	const struct paths_edges *edges;
	uint32_t *first; /* by event, and behind them the end: the first edge to it */
	int64_t *ends_ns;
	unsigned char *visits; /* enum visit, by event */
	struct step {
		uint32_t event, next; /* edge to it */
	} * stack;
};

static void index_edges(struct visiting *visiting)
{
	const struct paths_edges *edges = visiting->edges;
	size_t events = visiting->paths->event_count;

	for (size_t i = 0; i < edges->count; i++) {
		uint32_t to = edges->items[i].to;

		visiting->first[(to == PATHS_END ? events : to) + 1]++;
	}
	for (size_t i = 0; i <= events; i++)
		visiting->first[i + 1] += visiting->first[i];
}

/* The earliest time that all edges allow; INT64_MIN: there are no edges. An edge that closes a circle, which
 * no run has, counts for nothing. */
static int64_t latest_ns(const struct visiting *visiting, size_t to)
{
	int64_t time_ns = INT64_MIN;

	for (uint32_t i = visiting->first[to]; i < visiting->first[to + 1]; i++) {
		const struct paths_edge *edge = &visiting->edges->items[i];
		bool is_begin = edge->from == PATHS_BEGIN;

		if (!is_begin && visiting->visits[edge->from] != DONE)
			continue;
		time_ns = max_ns(time_ns, (is_begin ? 0 : visiting->ends_ns[edge->from]) +
						  edge->distance_ns);
	}
	return time_ns;
}

/* Times of models from damaged files stay far from where sums of them overflow. */
#define MOST_TIME_NS (INT64_C(1) << 60)

/* What nothing comes before is where the model begins. */
static void finish_event(struct visiting *visiting, uint32_t event)
{
	int64_t begin_ns = latest_ns(visiting, event);
	int64_t transfer_ns = visiting->paths->events[event].transfer_ns;

	if (transfer_ns == PATHS_NO_TRANSFER)
		transfer_ns = 0;
	if (begin_ns != INT64_MIN)
		visiting->ends_ns[event] =
			max_ns(-MOST_TIME_NS, min_ns(MOST_TIME_NS, begin_ns + transfer_ns));
	visiting->visits[event] = DONE;
}

static void visit_event(struct visiting *visiting, uint32_t event)
{
	size_t depth = 0;

	if (visiting->visits[event] != UNSEEN)
		return;
	visiting->visits[event] = UNDER_WAY;
	visiting->stack[depth++] = (struct step){event, visiting->first[event]};
	while (depth) {
		struct step *step = &visiting->stack[depth - 1];
		uint32_t from;

		if (step->next == visiting->first[step->event + 1]) {
			finish_event(visiting, step->event);
			depth--;
			continue;
		}
		from = visiting->edges->items[step->next++].from;
		if (from == PATHS_BEGIN || visiting->visits[from] != UNSEEN)
			continue;
		visiting->visits[from] = UNDER_WAY;
		visiting->stack[depth++] = (struct step){from, visiting->first[from]};
	}
}

int64_t joint_end_ns(const struct paths *paths, const struct paths_edges *edges, int64_t *ends_ns)
{
	size_t events = paths->event_count;
	struct visiting visiting = {
		.paths = paths,
		.edges = edges,
		.first = memory_array(events + 2, sizeof(*visiting.first)),
		.ends_ns = memory_array(events, sizeof(*visiting.ends_ns)),
		.visits = memory_array(events, sizeof(*visiting.visits)),
		.stack = memory_array(events, sizeof(*visiting.stack)),
	};
	int64_t end_ns;

	index_edges(&visiting);
	for (size_t i = 0; i < events; i++)
		visit_event(&visiting, (uint32_t)i);
	for (size_t i = 0; ends_ns && i < events; i++)
		ends_ns[i] = visiting.ends_ns[i];
	end_ns = latest_ns(&visiting, events);
	free(visiting.first);
	free(visiting.ends_ns);
	free(visiting.visits);
	free(visiting.stack);
	return end_ns == INT64_MIN ? 0 : end_ns;
}

static int64_t saved_by(const struct joint *joint, const struct paths *paths, int64_t before_ns,
			const struct paths_edges *edges)
{
	int64_t saved_ns = before_ns - joint_end_ns(paths, edges, NULL);

	return llround(fmin(joint->scale * (double)max_ns(0, saved_ns), (double)MOST_TIME_NS));
}

/* A fix of a rank whose others are not known may bring nothing: they may be as late as it is. */
static struct stated weigh_fix(const struct joint *joint, const struct paths *paths,
			       const struct paths_group *group)
{
	int64_t before_ns = joint_end_ns(paths, &group->before, NULL);
	struct stated saved;

	saved.estimate_ns = saved_by(joint, paths, before_ns, &group->estimate);
	saved.low_ns =
		saved_by(joint, paths, joint_end_ns(paths, &paths->untraced, NULL), &group->low);
	saved.low_ns = min_ns(saved.low_ns, saved.estimate_ns);
	saved.high_ns = max_ns(saved_by(joint, paths, before_ns, &group->high), saved.estimate_ns);
	if (joint->incomplete * 2 > joint->events)
		saved.low_ns = 0;
	return saved;
}

/* All fixes together save no less than one of them. */
static void fit_all(struct joint *joint)
{
	struct stated *all = NULL;
	int64_t most_ns = 0;

	for (size_t i = 0; i < joint->group_count; i++) {
		struct joint_group *group = &joint->groups[i];

		if (*group->group->id)
			most_ns = max_ns(most_ns, group->saved.estimate_ns);
		else
			all = &group->saved;
	}
	if (!all)
		return;
	all->estimate_ns = max_ns(all->estimate_ns, most_ns);
	all->high_ns = max_ns(all->high_ns, all->estimate_ns);
}

static void count_events(struct joint *joint, const struct paths *paths)
{
	for (size_t i = 0; i < paths->event_count; i++) {
		joint->events += paths->events[i].ranks > 1;
		joint->incomplete += paths->events[i].seen < paths->events[i].ranks;
	}
}

/* Between n kernels there are n - 1 of what repeats itself. */
static double scale_of(const struct paths *paths)
{
	if (!paths->is_part || paths->kernels <= paths->ranks)
		return 1;
	return (double)(paths->all_kernels - paths->ranks) /
	       (double)(paths->kernels - paths->ranks);
}

struct joint joint_replay(const struct paths *paths)
{
	struct joint joint = {
		.measured_ns = paths->end_ns - paths->begin_ns,
		.traced_ns = joint_end_ns(paths, &paths->traced, NULL) - paths->begin_ns,
		.untraced_ns = joint_end_ns(paths, &paths->untraced, NULL) - paths->begin_ns,
		.scale = scale_of(paths),
		.groups = memory_array(paths->group_count, sizeof(*joint.groups)),
		.group_count = paths->group_count,
	};

	count_events(&joint, paths);
	joint.is_near = (double)llabs(joint.traced_ns - joint.measured_ns) <=
			SELF_CHECK_SHARE * (double)joint.measured_ns;
	for (size_t i = 0; i < paths->group_count; i++)
		joint.groups[i] = (struct joint_group){&paths->groups[i],
						       weigh_fix(&joint, paths, &paths->groups[i])};
	fit_all(&joint);
	return joint;
}

void joint_free(struct joint *joint)
{
	free(joint->groups);
	*joint = (struct joint){0};
}
