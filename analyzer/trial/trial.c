#include "trial/trial.h"

#include <math.h>

const char *trial_verdict_name(enum trial_verdict verdict)
{
	static const char *const names[] = {
#define VERDICT(id, name) [VERDICT_##id] = (name),
#include "trial/trial_verdicts.def"
#undef VERDICT
	};

	return names[verdict];
}

struct trial_count trial_counted(const struct trial *trial)
{
	struct trial_count sum = {0};

	for (size_t i = 0; trial->counts && i < trial->plan.places.count; i++) {
		sum.calls += trial->counts[i].calls;
		sum.applied += trial->counts[i].applied;
		sum.refusals |= trial->counts[i].refusals;
	}
	return sum;
}

/* A fix that the environment makes is not counted. */
static bool is_applied(const struct trial *trial)
{
	return trial_counted(trial).applied ||
	       trial_plan_environment(&trial->plan).words[0] != NULL;
}

static enum trial_verdict verdict_of_figures(enum trial_finding finding)
{
	switch (finding) {
	case TRIAL_SAVES:
		return VERDICT_SAVES;
	case TRIAL_COSTS:
		return VERDICT_COSTS;
	case TRIAL_SAME:
		return VERDICT_NO_DIFFERENCE;
	case TRIAL_CONTROL:
		return VERDICT_CONTROL_DIFFERS;
	default:
		return VERDICT_TOO_FEW_PAIRS;
	}
}

enum trial_verdict trial_verdict_of(const struct trial *trial)
{
	if (!trial->plan.places.count)
		return VERDICT_REFUSED;
	switch (trial->end) {
	case TRIAL_STATUS_DIFFERS:
	case TRIAL_HUNG:
		return VERDICT_FAILED;
	case TRIAL_UNSTEADY:
		return VERDICT_UNSTEADY;
	case TRIAL_NOT_SEEN:
		return VERDICT_NOT_SEEN;
	default:
		break;
	}
	if (trial->counts && !is_applied(trial))
		return VERDICT_NOT_APPLIED;
	if (trial->results.different)
		return VERDICT_RESULTS_DIFFER;
	return verdict_of_figures(trial->figures.finding);
}

bool trial_has_saving(enum trial_verdict verdict)
{
	return verdict == VERDICT_SAVES || verdict == VERDICT_COSTS;
}

bool trial_has_times(enum trial_verdict verdict)
{
	return trial_has_saving(verdict) || verdict == VERDICT_NO_DIFFERENCE;
}

enum trial_side trial_side_of(const struct trial *trial)
{
	const int64_t saved_ns = trial->figures.saved.estimate_ns;

	if (saved_ns < trial->predicted.low_ns)
		return SIDE_BELOW;
	return saved_ns > trial->predicted.high_ns ? SIDE_ABOVE : SIDE_INSIDE;
}

/* The smallest number of times that part makes up the whole; part must be above 0. */
static uint64_t times_until(int64_t whole, double part)
{
	return (uint64_t)ceil((double)whole / part);
}

struct trial_payback trial_payback_of(const struct trial *trial)
{
	const int64_t saved_ns = trial->figures.saved.estimate_ns;
	const int64_t set_up_ns = trial->figures.set_up_ns;
	const uint64_t applied = trial_counted(trial).applied;
	struct trial_payback payback = {0};

	if (!set_up_ns || saved_ns <= 0)
		return payback;
	payback.runs = times_until(set_up_ns, (double)saved_ns);
	if (applied)
		payback.calls = times_until(set_up_ns, (double)saved_ns / (double)applied);
	return payback;
}
