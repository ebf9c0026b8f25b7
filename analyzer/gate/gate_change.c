#include "gate/gate_change.h"

#include "base/format.h"
#include "findings/whatif_replay.h"
#include "gate/fixes.h"
#include "gate/gate_texts.h"
#include "gate/shift.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The runs of one side and rank. */
struct side {
	VECTOR(size_t) runs;  /* their indexes */
	VECTOR(double) times; /* what each takes, as measured */
	VECTOR(double) leads; /* and before the first operation on a device */
	VECTOR(double) tails; /* and behind the last one */
};

static struct side take_side(const struct gate *gate, const struct sides *sides, size_t rank,
			     bool is_head)
{
	size_t end = is_head ? gate->path_count : gate->base_count;
	struct side side = {0};

	for (size_t i = is_head ? gate->base_count : 0; i < end; i++)
		if (sides->ranks->of[i] == rank) {
			*vector_add(&side.runs) = i;
			*vector_add(&side.times) = (double)sides->runs[i]->untraced_ns;
			*vector_add(&side.leads) = (double)sides->runs[i]->lead_ns;
			*vector_add(&side.tails) = (double)sides->runs[i]->tail_ns;
		}
	return side;
}

static void free_side(struct side *side)
{
	vector_free(&side->runs);
	vector_free(&side->times);
	vector_free(&side->leads);
	vector_free(&side->tails);
}

/* The rank of both sides that takes longest in base. */
static size_t slowest_rank(const struct gate *gate, const struct sides *sides)
{
	size_t slowest = 0;
	double most_ns = -1;

	for (size_t i = 0; i < sides->ranks->items.count; i++) {
		struct side base = take_side(gate, sides, i, false);
		double median_ns =
			base.times.count ? shift_median(base.times.items, base.times.count) : 0;

		if (rank_is_pair(&sides->ranks->items.items[i]) && median_ns > most_ns) {
			most_ns = median_ns;
			slowest = i;
		}
		free_side(&base);
	}
	return slowest;
}

/* The index of the run whose time is nearest to the median; the earliest of several. */
static size_t middle_run(const struct side *side)
{
	double median_ns = shift_median(side->times.items, side->times.count);
	size_t middle = 0;

	for (size_t i = 1; i < side->times.count; i++)
		if (fabs(side->times.items[i] - median_ns) <
		    fabs(side->times.items[middle] - median_ns))
			middle = i;
	assert(side->runs.items); /* slowest_rank() has traces of both sides */
	return side->runs.items[middle];
}

static struct gate_times measure_side(const struct side *side, const struct sides *sides)
{
	struct gate_times times = {
		.runs = side->runs.count,
		.least_ns = INT64_MAX,
		.median_ns = gate_ns(shift_median(side->times.items, side->times.count)),
		.lead_ns = gate_ns(shift_median(side->leads.items, side->leads.count)),
		.tail_ns = gate_ns(shift_median(side->tails.items, side->tails.count))};

	for (size_t i = 0; i < side->runs.count; i++) {
		const struct gate_run *run = sides->runs[side->runs.items[i]];

		if (run->untraced_ns < times.least_ns)
			times.least_ns = run->untraced_ns;
		if (run->untraced_ns > times.most_ns)
			times.most_ns = run->untraced_ns;
	}
	return times;
}

static void measure_shift(struct gate_change *change, const struct side *base,
			  const struct side *head, const struct sides *sides)
{
	double *scaled = memory_array(head->times.count, sizeof(*scaled));
	struct shift shift;

	assert(head->runs.items);
	for (size_t i = 0; i < head->times.count; i++)
		scaled[i] = head->times.items[i] / sides->scales[head->runs.items[i]];
	shift = shift_between(base->times.items, base->times.count, scaled, head->times.count);
	change->scale = sides->scales[head->runs.items[0]];
	change->realised_ns = gate_ns(shift.median);
	change->low_ns = gate_ns(shift.low);
	change->high_ns = gate_ns(shift.high);
	change->percent = shift.percent;
	change->behind_lead_ns = gate_ns(shift.median - (double)change->base.lead_ns +
					 (double)change->head.lead_ns / change->scale);
	change->between_ns = gate_ns((double)change->behind_lead_ns - (double)change->base.tail_ns +
				     (double)change->head.tail_ns / change->scale);
	free(scaled);
}

/* Places, as the rows of a diff are. */
static size_t count_listed(const struct gate_run *run)
{
	const struct gate_finding *items = run->findings.items;
	size_t count = 0;

	for (size_t i = 0; i < run->findings.count; i++)
		count += items[i].is_shown &&
			 (!i || strcmp(items[i - 1].identity, items[i].identity) != 0);
	return count;
}

static void measure_left(struct gate_change *change, const struct gate_run *run)
{
	change->has_left = run->has_estimates;
	change->left = run->lost;
	change->left_of_ns = run->untraced_ns;
	change->left_count = count_listed(run);
}

void gate_change_measure(struct gate *gate, const struct sides *sides)
{
	struct gate_change *change = &gate->change;
	size_t rank = slowest_rank(gate, sides);
	struct side base = take_side(gate, sides, rank, false);
	struct side head = take_side(gate, sides, rank, true);

	if (sides->ranks->items.count > 1)
		change->rank = sides->ranks->items.items[rank].name;
	change->base = measure_side(&base, sides);
	change->head = measure_side(&head, sides);
	measure_shift(change, &base, &head, sides);
	change->base_run = middle_run(&base);
	measure_left(change, sides->runs[middle_run(&head)]);
	for (size_t i = 0; i < gate->rows.count; i++)
		change->gone_count += gate->rows.items[i].verdict == GATE_GONE;
	if (change->gone_count)
		change->no_prediction = "the trace of base is not replayed";
	gate->has_change = true;
	free_side(&base);
	free_side(&head);
}

void gate_change_predict(struct gate *gate, const struct analysis *analysis)
{
	struct gate_change *change = &gate->change;
	VECTOR(const char *) gone = {0};
	struct fixes fixes;

	for (size_t i = 0; i < gate->rows.count; i++)
		if (gate->rows.items[i].verdict == GATE_GONE)
			*vector_add(&gone) = gate->rows.items[i].identity;
	fixes = fixes_at(analysis, gone.items, gone.count);
	if (!analysis->check.has_estimates) {
		change->no_prediction = "the self-check of base failed";
	} else if (gone.count && !fixes.count) {
		change->no_prediction = "the run of base with the median time does not list them";
	} else if (gone.count) {
		change->has_predicted = true;
		change->no_prediction = NULL;
		change->predicted = whatif_replay(analysis, fixes.findings, fixes.count).saved;
	}
	fixes_free(&fixes);
	vector_free(&gone);
}

static bool is_gone(const struct gate *gate, const char *identity)
{
	for (size_t i = 0; i < gate->rows.count; i++)
		if (gate->rows.items[i].verdict == GATE_GONE &&
		    !strcmp(gate->rows.items[i].identity, identity))
			return true;
	return false;
}

/* Whether all lines of the finding with that number are gone. */
static bool is_all_gone(const struct gate *gate, const struct gate_run *run, size_t number)
{
	for (size_t i = 0; i < run->findings.count; i++)
		if (run->findings.items[i].number == number &&
		    !is_gone(gate, run->findings.items[i].identity))
			return false;
	return true;
}

/* What the saved findings of a run say of those that are gone. */
struct recalled {
	size_t shown, gone; /* findings that the run lists; of them with all lines gone */
	bool is_in_part;    /* some lines of a finding are gone, and not all */
	const struct gate_finding *most; /* of the findings that are gone: saves most; or NULL */
};

static struct recalled recall_findings(const struct gate *gate, const struct gate_run *run)
{
	struct recalled recalled = {0};

	for (size_t i = 0; i < run->findings.count; i++) {
		const struct gate_finding *finding = &run->findings.items[i];
		bool is_all = is_all_gone(gate, run, finding->number);

		if (!finding->is_shown)
			continue;
		recalled.is_in_part |= !is_all && is_gone(gate, finding->identity);
		if (finding->is_further)
			continue;
		recalled.shown++;
		recalled.gone += is_all;
		if (is_all && (!recalled.most || finding->all_saved.estimate_ns >
							 recalled.most->all_saved.estimate_ns))
			recalled.most = finding;
	}
	return recalled;
}

void gate_change_recall(struct gate *gate, const struct gate_run *run)
{
	struct gate_change *change = &gate->change;
	struct recalled recalled = recall_findings(gate, run);
	struct format least, most;

	if (!change->gone_count)
		return;
	if (!run->has_estimates) {
		change->no_prediction = "the self-check of base failed";
		return;
	}
	change->has_predicted = recalled.most && !recalled.is_in_part &&
				(recalled.gone == recalled.shown ||
				 (recalled.gone == 1 && recalled.most->pass == 1));
	if (change->has_predicted) {
		change->predicted =
			recalled.gone == recalled.shown ? run->lost : recalled.most->all_saved;
		change->no_prediction = NULL;
		return;
	}
	change->no_prediction = text_format(
		&gate->arena,
		"%s to %s: a baseline has what each fix saves and what all save, not these "
		"together",
		format_time(&least, recalled.most ? recalled.most->all_saved.estimate_ns : 0),
		format_time(&most, run->lost.estimate_ns));
}
