#include "job/groups.h"

#include "base/median.h"
#include "base/minmax.h"
#include "base/vector.h"
#include "findings/advice.h"

#include <string.h>

/* Below this share of the job a group is not listed, as in a process's report. */
#define LEAST_SHARE 0.005

struct entry {
	const struct summary_finding *finding;
	size_t row;
};

typedef VECTOR(struct entry) entry_vector;

static int compare_lines(const struct entry *a, const struct entry *b)
{
	int order = strcmp(a->finding->id, b->finding->id);

	return order ? order : strcmp(a->finding->where, b->finding->where);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = compare_lines(a, b);

	order = order ? order : (a->row > b->row) - (a->row < b->row);
	return order ? order
		     : (a->finding->number > b->finding->number) -
			       (a->finding->number < b->finding->number);
}

static const struct summary *summary_of(const struct job_report *report, size_t row)
{
	return report->rows[row].member->summary;
}

/* What the entries of one row save together, at most the run. */
static int64_t take_row(const struct job_report *report, const struct entry *entries, size_t count,
			struct job_group *group, int64_t *longest_ns)
{
	const struct summary *summary = summary_of(report, entries->row);
	int64_t saved_ns = 0;

	for (size_t i = 0; i < count; i++) {
		const struct summary_finding *finding = entries[i].finding;
		int64_t ns = summary_saving(summary, &finding->lost);

		saved_ns = collectives_add(saved_ns, ns);
		group->count =
			(uint64_t)collectives_add((int64_t)group->count, (int64_t)finding->count);
		group->blocked_ns = collectives_add(group->blocked_ns, finding->blocked_ns);
		group->is_later &= finding->pass > 1;
		group->is_bound &= finding->is_bound;
		if (finding->costs_ns > group->costs_ns) {
			group->costs_ns = finding->costs_ns;
			group->costs_most = entries->row;
		}
		if (ns > *longest_ns) {
			*longest_ns = ns;
			group->finding = finding;
			group->most = entries->row;
		}
	}
	return min_ns(saved_ns, max_ns(summary->untraced_ns, 0));
}

static struct job_group make_group(const struct job_report *report, const struct entry *entries,
				   size_t count)
{
	struct job_group group = {.id = entries->finding->id,
				  .where = entries->finding->where,
				  .rows = memory_array(count, sizeof(*group.rows)),
				  .is_later = true,
				  .is_bound = true};
	int64_t *savings = memory_array(count, sizeof(*savings)), longest_ns = -1;

	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && entries[end].row == entries[i].row;)
			end++;
		savings[group.row_count] =
			take_row(report, entries + i, end - i, &group, &longest_ns);
		group.rows[group.row_count++] = (uint32_t)entries[i].row;
	}
	group.median_ns = median_ns(savings, group.row_count);
	group.smallest_ns = savings[0];
	group.largest_ns = savings[group.row_count - 1];
	free(savings);
	return group;
}

void groups_find(struct job_report *report)
{
	VECTOR(struct job_group) groups = {0};
	entry_vector entries = {0};

	for (size_t row = 0; row < report->row_count; row++) {
		const struct summary *summary = summary_of(report, row);

		for (size_t i = 0; i < summary->finding_count; i++)
			*vector_add(&entries) = (struct entry){&summary->findings[i], row};
	}
	vector_sort(&entries, compare_entries);
	for (size_t i = 0, end; i < entries.count; i = end) {
		for (end = i;
		     end < entries.count && !compare_lines(&entries.items[i], &entries.items[end]);)
			end++;
		*vector_add(&groups) = make_group(report, entries.items + i, end - i);
	}
	vector_free(&entries);
	vector_move(&groups, report->groups, report->group_count);
}

static const struct joint_group *find_joint(const struct joint *joint, const char *id,
					    const char *where)
{
	for (size_t i = 0; i < joint->group_count; i++)
		if (!strcmp(joint->groups[i].group->id, id) &&
		    !strcmp(joint->groups[i].group->where, where))
			return &joint->groups[i];
	return NULL;
}

void groups_weigh_joint(struct job_report *report)
{
	const struct joint_group *all;
	struct joint joint;

	if (!report->job->paths)
		return;
	joint = joint_replay(report->job->paths);
	all = find_joint(&joint, "", "");
	if (joint.is_near && all) {
		report->method = JOB_JOINT;
		report->lost = all->saved;
	}
	for (size_t i = 0; i < report->group_count && report->method == JOB_JOINT; i++) {
		struct job_group *group = &report->groups[i];
		const struct joint_group *found = find_joint(&joint, group->id, group->where);

		group->is_bound &= !found;
		if (found)
			group->saved = found->saved;
		else
			/* Too small for its ranks' own reports: only what needs no other rank. */
			group->saved.estimate_ns = group->saved.high_ns = group->saved.low_ns;
	}
	report->joint = joint;
	report->joint.groups = NULL;
	report->joint.group_count = 0;
	joint_free(&joint);
}

static int compare_groups(const void *left, const void *right)
{
	const struct job_group *a = left, *b = right;
	int order = (int)a->is_folded - (int)b->is_folded;

	order = order ? order
		      : (a->saved.estimate_ns < b->saved.estimate_ns) -
				(a->saved.estimate_ns > b->saved.estimate_ns);
	order = order ? order : (a->largest_ns < b->largest_ns) - (a->largest_ns > b->largest_ns);
	order = order ? order : strcmp(a->id, b->id);
	return order ? order : strcmp(a->where, b->where);
}

/* The process's first finding of the group, or NULL. */
static const struct summary_finding *find_first(const struct summary *summary,
						const struct job_group *group)
{
	for (size_t i = 0; i < summary->finding_count; i++)
		if (!strcmp(summary->findings[i].id, group->id) &&
		    !strcmp(summary->findings[i].where, group->where))
			return &summary->findings[i];
	return NULL;
}

/* Whether the group's fix needs the waits of another group gone: all processes with both list the waits first,
 * and one of them does so although they save less there. */
static bool needs_fixed(const struct job_report *report, const struct job_group *group,
			const struct job_group *waits)
{
	bool is_needed = false;

	if (!group->finding->relies_on ||
	    !advice_is_of_step(group->id, group->finding->relies_on) || !waits->finding->cost ||
	    strcmp(waits->finding->cost, "blocked") != 0)
		return false;
	for (size_t i = 0; i < group->row_count; i++) {
		const struct summary *summary = summary_of(report, group->rows[i]);
		const struct summary_finding *own = find_first(summary, group);
		const struct summary_finding *other = find_first(summary, waits);

		if (!own || !other)
			continue;
		if (other->number > own->number)
			return false;
		is_needed |=
			summary_saving(summary, &other->lost) < summary_saving(summary, &own->lost);
	}
	return is_needed;
}

/* Of the listed groups, which are sorted; waits that save less than least_ns stay where they are. */
static void put_needed_first(struct job_report *report, double least_ns)
{
	struct job_group *groups = report->groups, moved;
	size_t count = report->group_count - report->folded_count;

	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++) {
			if ((double)groups[k].saved.estimate_ns < least_ns ||
			    !needs_fixed(report, &groups[i], &groups[k]))
				continue;
			moved = groups[k];
			memmove(groups + i + 1, groups + i, (k - i) * sizeof(*groups));
			groups[i++] = moved;
		}
}

void groups_rank(struct job_report *report)
{
	double least_ns = LEAST_SHARE * (double)report->untraced_ns;

	for (size_t i = 0; i < report->group_count; i++) {
		struct job_group *group = &report->groups[i];

		group->is_folded = (double)group->saved.estimate_ns < least_ns &&
				   (double)group->saved.high_ns < least_ns;
		report->folded_count += group->is_folded;
	}
	if (report->group_count)
		qsort(report->groups, report->group_count, sizeof(*report->groups), compare_groups);
	put_needed_first(report, least_ns);
}
