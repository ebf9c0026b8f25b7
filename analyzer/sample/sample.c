#include "sample/sample.h"

#include "base/minmax.h"
#include "base/vector.h"
#include "sample/sliced_trace.h"
#include "sample/strata.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs of fewer slices are not sampled. */
#define LEAST_SLICES 12

/* The least share of operations with a known call. */
#define LEAST_MATCHED 0.99

/* Taking more than this share of all slices gains nothing. */
#define MOST_SHARE 0.5

/* The next slices may differ more. */
#define GROW_BY 1.3

struct stratum {
	size_t count, taken; /* numbers of slices */
	double length_ns;    /* of all its slices */
	double error;	     /* of the last answer, squared */
	bool is_by_both;     /* weights also follow the idle time */
};

struct member;

struct sample {
	const struct trace *whole;
	struct slice *slices;
	size_t count, taken;
	uint32_t *of; /* by slice: the index of its stratum */
	struct stratum *strata;
	size_t strata_count;
	struct member *members; /* sorted by stratum */
	bool *are_taken;	/* by slice: is it in the sample */
	struct sliced_trace sliced;
};

static void count_strata(struct sample *sample)
{
	sample->strata = memory_array(sample->strata_count, sizeof(*sample->strata));
	for (size_t i = 0; i < sample->count; i++) {
		struct stratum *stratum = &sample->strata[sample->of[i]];

		stratum->count++;
		stratum->length_ns += (double)sample->slices[i].length_ns;
	}
	for (size_t i = 0; i < sample->strata_count; i++) {
		struct stratum *stratum = &sample->strata[i];

		stratum->taken =
			stratum->count < STRATA_LEAST_TAKEN ? stratum->count : STRATA_LEAST_TAKEN;
	}
}

/* A slice, its stratum, and for how long the devices were idle in it. */
struct member {
	uint32_t of, slice;
	double idle;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	if (x->idle < y->idle || x->idle > y->idle)
		return x->idle < y->idle ? -1 : 1;
	return (x->slice > y->slice) - (x->slice < y->slice);
}

static void sort_members(struct sample *sample)
{
	sample->members = memory_array(sample->count, sizeof(*sample->members));
	for (size_t i = 0; i < sample->count; i++) {
		const struct slice *slice = &sample->slices[i];

		sample->members[i] = (struct member){
			.of = sample->of[i],
			.slice = (uint32_t)i,
			.idle = slice->length_ns > 0
					? (double)slice->idle_ns / (double)slice->length_ns
					: 0};
	}
	qsort(sample->members, sample->count, sizeof(*sample->members), compare_members);
}

/* Chooses evenly over each stratum's members in the order of their idle time, from the middle of
 * each part: the chosen ones then resemble all of them. */
static void choose_slices(struct sample *sample)
{
	size_t first = 0;

	memset(sample->are_taken, 0, sample->count * sizeof(*sample->are_taken));
	sample->taken = 0;
	for (size_t i = 0; i < sample->strata_count; i++) {
		const struct stratum *stratum = &sample->strata[i];

		for (size_t k = 0; k < stratum->taken; k++) {
			size_t member = (2 * k + 1) * stratum->count / (2 * stratum->taken);

			sample->are_taken[sample->members[first + member].slice] = true;
		}
		sample->taken += stratum->taken;
		first += stratum->count;
	}
}

static bool is_few(const struct sample *sample)
{
	return (double)sample->taken <= MOST_SHARE * (double)sample->count;
}

/* The length and the idle time, which are known of every slice: summed over all slices of a
 * stratum, over the taken ones, and sums[a][b] of products over the taken ones. */
struct known {
	double all[2], taken[2], sums[2][2];
};

static void get_known(const struct slice *slice, double *known)
{
	known[0] = (double)slice->length_ns;
	known[1] = (double)slice->idle_ns;
}

/* By stratum; the caller must free() it. */
static struct known *find_known(const struct sample *sample)
{
	struct known *strata = memory_array(sample->strata_count, sizeof(*strata));

	for (size_t i = 0; i < sample->count; i++) {
		struct known *known = &strata[sample->of[i]];
		double of_slice[2];

		get_known(&sample->slices[i], of_slice);
		for (size_t a = 0; a < 2; a++) {
			known->all[a] += of_slice[a];
			known->taken[a] += sample->are_taken[i] ? of_slice[a] : 0;
			for (size_t b = 0; b < 2 && sample->are_taken[i]; b++)
				known->sums[a][b] += of_slice[a] * of_slice[b];
		}
	}
	return strata;
}

/* Solves sums * x = right. False: the two known values are proportional. */
static bool solve_two(const struct known *known, const double *right, double *x)
{
	const double(*sums)[2] = known->sums;
	double determinant = sums[0][0] * sums[1][1] - sums[0][1] * sums[1][0];

	/* Both sides are 0 if the devices were never idle. */
	if (!(determinant > 1e-6 * sums[0][0] * sums[1][1]))
		return false;
	x[0] = (right[0] * sums[1][1] - right[1] * sums[0][1]) / determinant;
	x[1] = (right[1] * sums[0][0] - right[0] * sums[1][0]) / determinant;
	return true;
}

/* A weight that differs by a larger factor from that of equal weights is not used. */
#define MOST_CORRECTION 0.5

/* Computes how many slices each taken slice of a stratum stands for: so that together they are as
 * long and as idle as all, or only as long if that gave odd weights. */
static void weigh_stratum(struct sample *sample, size_t of, const struct known *known,
			  double *weights)
{
	struct stratum *stratum = &sample->strata[of];
	double each = (double)stratum->count / (double)stratum->taken;
	double missing[2] = {known->all[0] / each - known->taken[0],
			     known->all[1] / each - known->taken[1]};
	double correction[2] = {0}, of_slice[2];
	bool is_odd = stratum->taken <= 2 || !solve_two(known, missing, correction);

	for (size_t i = 0; i < sample->count; i++) {
		if (sample->of[i] != of || !sample->are_taken[i])
			continue;
		get_known(&sample->slices[i], of_slice);
		weights[i] = of_slice[0] * correction[0] + of_slice[1] * correction[1];
		is_odd |= fabs(weights[i]) > MOST_CORRECTION;
		weights[i] = each * (1 + weights[i]);
	}
	stratum->is_by_both = !is_odd;
	for (size_t i = 0; i < sample->count; i++)
		if (sample->of[i] == of && sample->are_taken[i] && is_odd)
			weights[i] = known->taken[0] > 0 ? known->all[0] / known->taken[0] : each;
}

static double *find_weights(struct sample *sample)
{
	double *weights = memory_array(sample->count, sizeof(*weights));
	struct known *known = find_known(sample);

	for (size_t i = 0; i < sample->strata_count; i++)
		weigh_stratum(sample, i, &known[i], weights);
	free(known);
	return weights;
}

/* Whether weighted times can be summed without overflow: a trace can contain any time. */
static bool can_be_added(const struct sample *sample)
{
	const struct trace *trace = &sample->sliced.trace;
	double sum_ns = 0, most = 0;

	for (size_t i = 0; i < trace->call_count; i++)
		sum_ns += (double)(trace->calls[i].end_ns - trace->calls[i].start_ns);
	for (size_t i = 0; i < trace->operation_count; i++)
		sum_ns += (double)(trace->operations[i].end_ns - trace->operations[i].start_ns);
	for (size_t i = 0; i < trace->window_count; i++) {
		sum_ns += (double)(trace->windows[i].end_ns - trace->windows[i].start_ns);
		most = fmax(most, trace->windows[i].weight);
	}
	return sum_ns * most < (double)(INT64_MAX / 4);
}

/* Makes the trace of the chosen slices. False: it is useless. */
static bool make_trace(struct sample *sample)
{
	double *weights = find_weights(sample);

	sliced_trace_free(&sample->sliced);
	sample->sliced = sliced_trace_make(sample->whole, sample->slices, weights, sample->count);
	free(weights);
	return can_be_added(sample);
}

/* Whether operations have their calls, which assign them to slices. */
static bool are_matched(const struct trace *trace)
{
	return (double)trace->matched_operations >= LEAST_MATCHED * (double)trace->operation_count;
}

struct sample *sample_take(const struct trace *trace)
{
	struct sample *sample;

	if (trace->window_count > 1 || trace->first_use_count || trace->copy_watch_count ||
	    !are_matched(trace))
		return NULL;
	sample = memory_array(1, sizeof(*sample));
	sample->whole = trace;
	sample->slices = slices_cut(trace, &sample->count);
	if (sample->count >= LEAST_SLICES) {
		sample->of =
			strata_find(trace, sample->slices, sample->count, &sample->strata_count);
		sample->are_taken = memory_array(sample->count, sizeof(*sample->are_taken));
		count_strata(sample);
		sort_members(sample);
		choose_slices(sample);
		if (is_few(sample) && make_trace(sample))
			return sample;
	}
	sample_free(sample);
	return NULL;
}

void sample_free(struct sample *sample)
{
	if (!sample)
		return;
	sliced_trace_free(&sample->sliced);
	free(sample->members);
	free(sample->are_taken);
	free(sample->strata);
	free(sample->of);
	free(sample->slices);
	free(sample);
}

const struct trace *sample_trace(const struct sample *sample)
{
	return &sample->sliced.trace;
}

size_t sample_taken(const struct sample *sample)
{
	return sample->taken;
}

size_t sample_slices(const struct sample *sample)
{
	return sample->count;
}

/* A regression: `per` of each known value predicts a slice's answer; the rest is chance. */
struct answer {
	double right[2], per[2];
	double squares;
};

/* Student's t for 95 % and this many degrees of freedom (from 1 on), in standard errors. */
static double standard_errors(size_t free)
{
	static const double errors[] = {12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26};

	return free <= sizeof(errors) / sizeof(*errors) ? errors[free - 1] : 2.23;
}

/* Squared. */
static double error_of(const struct stratum *stratum, const struct answer *answer)
{
	size_t free = stratum->taken - (stratum->is_by_both ? 2 : 1);
	double taken = (double)stratum->taken, all = (double)stratum->count, errors;

	if (stratum->taken == stratum->count || stratum->taken < STRATA_LEAST_TAKEN)
		return 0;
	errors = standard_errors(free);
	return errors * errors * all * all * (1 - taken / all) * answer->squares / (double)free /
	       taken;
}

static void explain_stratum(const struct stratum *stratum, struct answer *answer,
			    const struct known *known)
{
	if (stratum->is_by_both && solve_two(known, answer->right, answer->per))
		return;
	if (known->sums[0][0] <= 0)
		return;
	answer->per[0] = answer->right[0] / known->sums[0][0];
	answer->per[1] = 0;
}

static void find_errors(const struct sample *sample, const int64_t *by_window)
{
	struct answer *answers = memory_array(sample->strata_count, sizeof(*answers));
	struct known *known = find_known(sample);

	for (size_t pass = 0; pass < 2; pass++) {
		for (size_t i = 0, window = 0; i < sample->count; i++) {
			struct answer *answer = &answers[sample->of[i]];
			double of_slice[2], ns, differs;

			if (!sample->are_taken[i])
				continue;
			while (sample->sliced.trace.windows[window].weight <= 0)
				window++;
			ns = (double)by_window[window++];
			get_known(&sample->slices[i], of_slice);
			for (size_t a = 0; a < 2 && !pass; a++)
				answer->right[a] += of_slice[a] * ns;
			differs = ns - answer->per[0] * of_slice[0] - answer->per[1] * of_slice[1];
			answer->squares += pass ? differs * differs : 0;
		}
		for (size_t i = 0; i < sample->strata_count && !pass; i++)
			explain_stratum(&sample->strata[i], &answers[i], &known[i]);
	}
	for (size_t i = 0; i < sample->strata_count; i++)
		sample->strata[i].error = error_of(&sample->strata[i], &answers[i]);
	free(known);
	free(answers);
}

double sample_error(const struct sample *sample, const int64_t *by_window)
{
	double squares = 0;

	find_errors(sample, by_window);
	for (size_t i = 0; i < sample->strata_count; i++)
		squares += sample->strata[i].error;
	return sqrt(squares);
}

/* Takes as many as bring the error below most_error, if the next ones differ like these. */
bool sample_grow(struct sample *sample, const int64_t *by_window, double most_error)
{
	double error = sample_error(sample, by_window);
	double times = error * error / (most_error * most_error) * GROW_BY;

	for (size_t i = 0; i < sample->strata_count; i++) {
		struct stratum *stratum = &sample->strata[i];
		double taken = ceil((double)stratum->taken * times);

		if (stratum->error > 0)
			stratum->taken =
				taken < (double)stratum->count ? (size_t)taken : stratum->count;
	}
	choose_slices(sample);
	return is_few(sample) && make_trace(sample);
}
