#include "watch/call_period.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SLOT_BITS 11
#define SLOTS	  (1 << SLOT_BITS)
#define SITES	  1024 /* that are followed at once */
#define INTERVALS 16

#define CHOOSE_NS                                                                                  \
	INT64_C(3000000000) /* between two choices of the step's call while sites are followed */
#define LEARN_NS INT64_C(60000000000)  /* sites are followed for so long at most */
#define REST_NS	 INT64_C(300000000000) /* and after that in vain not followed for so long */

/* A regular call's longest interval but one, and its shortest, against the median. */
#define LONGEST_PERCENT	 150
#define SHORTEST_PERCENT 50

/* The step's call: of its last JUDGED intervals so many may be irregular, and none so long. */
#define JUDGED	       32
#define IRREGULAR_MOST 10
#define GONE_TIMES     50
#define GONE_LEAST_NS  INT64_C(10000000000)

struct followed {
	const struct atom
		*site; /* of calls without a site nothing is followed; NULL: the slot is free */
	uint32_t thread_id;
	uint16_t function;
	int64_t last_ns;
	uint64_t count;
	int64_t intervals[INTERVALS]; /* in turn */
};

static struct {
	struct followed *slots; /* NULL: nothing is learned now */
	int used;
	int64_t begun_ns, chooses_ns, rests_until_ns;
	struct followed step; /* whose call begins the steps; site NULL: not known */
	int64_t median_ns;
	int judged, irregular;
	uint64_t number; /* of the next step */
} period;

static bool is_same(const struct followed *followed, const struct record *call, uint32_t thread_id)
{
	return followed->site == call->site && followed->thread_id == thread_id &&
	       followed->function == call->function;
}

/* NULL: there is no room. */
static struct followed *find_slot(const struct record *call, uint32_t thread_id)
{
	const uint64_t key = (uint64_t)(uintptr_t)call->site ^ (uint64_t)thread_id << 40 ^
			     (uint64_t)call->function << 24;

	for (uint64_t i = hash_word(key) >> (64 - SLOT_BITS);; i++) {
		struct followed *slot = &period.slots[i % SLOTS];

		if (slot->site && !is_same(slot, call, thread_id))
			continue;
		if (!slot->site && period.used++ == SITES)
			return NULL;
		slot->site = call->site;
		slot->thread_id = thread_id;
		slot->function = call->function;
		return slot;
	}
}

static int compare_times(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The median interval of a call that comes regularly; 0: it does not. */
static int64_t regular_ns(const struct followed *followed)
{
	int64_t sorted[INTERVALS], median_ns;

	if (followed->count <= INTERVALS)
		return 0;
	memcpy(sorted, followed->intervals, sizeof(sorted));
	qsort(sorted, INTERVALS, sizeof(*sorted), compare_times);
	median_ns = sorted[INTERVALS / 2];
	return median_ns >= PERIOD_LEAST_NS &&
			       sorted[INTERVALS - 2] <= median_ns / 100 * LONGEST_PERCENT &&
			       sorted[0] >= median_ns / 100 * SHORTEST_PERCENT
		       ? median_ns
		       : 0;
}

static void stop_learning(int64_t now_ns)
{
	free(period.slots);
	period.slots = NULL;
	period.used = 0;
	period.rests_until_ns = now_ns + REST_NS;
}

static void choose_step(int64_t now_ns)
{
	int64_t least_ns = INT64_MAX;

	for (int i = 0; i < SLOTS; i++) {
		const int64_t median_ns = period.slots[i].site ? regular_ns(&period.slots[i]) : 0;

		if (!median_ns || median_ns >= least_ns)
			continue;
		least_ns = median_ns;
		period.step = period.slots[i];
		period.median_ns = median_ns;
	}
	period.judged = period.irregular = 0;
	period.chooses_ns = now_ns + CHOOSE_NS;
	if (period.step.site || now_ns - period.begun_ns > LEARN_NS)
		stop_learning(now_ns);
}

static void learn_from(const struct record *call, uint32_t thread_id)
{
	const int64_t now_ns = call->start_ns;
	struct followed *slot;

	if (!period.slots && now_ns < period.rests_until_ns)
		return;
	if (!period.slots) {
		period.slots = calloc(SLOTS, sizeof(*period.slots));
		period.begun_ns = now_ns;
		period.chooses_ns = now_ns + CHOOSE_NS;
	}
	slot = period.slots ? find_slot(call, thread_id) : NULL;
	if (!slot) {
		stop_learning(now_ns);
		return;
	}
	if (slot->count++)
		slot->intervals[slot->count % INTERVALS] = now_ns - slot->last_ns;
	slot->last_ns = now_ns;
	if (now_ns >= period.chooses_ns)
		choose_step(now_ns);
}

static bool is_gone(int64_t now_ns)
{
	const int64_t times_ns = period.median_ns * GONE_TIMES;

	return now_ns - period.step.last_ns > (times_ns > GONE_LEAST_NS ? times_ns : GONE_LEAST_NS);
}

static void forget_step(int64_t now_ns)
{
	period.step.site = NULL;
	period.rests_until_ns = now_ns;
}

/* The median follows slowly: a step that changes for good is told as slow once (usual.h). */
static void judge_interval(int64_t now_ns)
{
	const int64_t interval_ns = now_ns - period.step.last_ns;

	period.irregular += interval_ns > period.median_ns / 100 * LONGEST_PERCENT ||
			    interval_ns < period.median_ns / 100 * SHORTEST_PERCENT;
	period.median_ns += (interval_ns > period.median_ns ? 1 : -1) * (period.median_ns / 64);
	period.step.last_ns = now_ns;
	if (++period.judged < JUDGED)
		return;
	if (period.irregular > IRREGULAR_MOST)
		forget_step(now_ns);
	period.judged = period.irregular = 0;
}

bool call_period_see(const struct record *call, uint32_t thread_id, uint64_t *number)
{
	if (!call->site)
		return false;
	if (!period.step.site) {
		learn_from(call, thread_id);
		return false;
	}
	if (!is_same(&period.step, call, thread_id)) {
		if (is_gone(call->start_ns))
			forget_step(call->start_ns);
		return false;
	}
	judge_interval(call->start_ns);
	*number = period.number++;
	return true;
}

void call_period_forget(void)
{
	free(period.slots);
	call_period_after_fork();
}

void call_period_after_fork(void)
{
	memset(&period, 0, sizeof(period));
}
