#include "findings/self_check.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/thresholds.h"
#include "findings/devices.h"
#include "findings/spread.h"
#include "replay/edits/bound.h"
#include "sample/sample.h"

#include <stdlib.h>

bool self_check_is_near(int64_t replayed_ns, int64_t measured_ns, double unsure_ns)
{
	return (double)llabs(replayed_ns - measured_ns) <=
	       SELF_CHECK_SHARE * (double)measured_ns + unsure_ns;
}

/* How far the replay of a sample can be off because of the slices that were taken. */
static double find_unsure(const struct trace *trace, const struct sample *sample,
			  const struct timeline_times *times)
{
	int64_t *errors_ns;
	double unsure_ns;

	if (!sample)
		return 0;
	errors_ns = memory_array(trace->window_count, sizeof(*errors_ns));
	for (size_t i = 0; i < trace->window_count; i++)
		errors_ns[i] = times->windows[i] -
			       (trace->windows[i].end_ns - trace->windows[i].counted_ns);
	unsure_ns = sample_error(sample, errors_ns);
	free(errors_ns);
	return unsure_ns;
}

static struct device_check *check_devices(const struct model *model,
					  const struct timeline_times *times)
{
	int64_t *measured_ns = devices_times(model, NULL);
	int64_t *replayed_ns = devices_times(model, times->operations);
	struct device_check *devices = memory_array(model->device_count, sizeof(*devices));

	for (size_t i = 0; i < model->device_count; i++)
		devices[i] = (struct device_check){measured_ns[i], replayed_ns[i]};
	free(replayed_ns);
	free(measured_ns);
	return devices;
}

/* Without what the tracer added. is_best_case: with what the trace leaves open, for the better. */
static int64_t replay_unedited(const struct observed *observed, bool is_best_case)
{
	struct edits *edits = edits_create(observed->model);
	int64_t replayed_ns;

	edits->is_best_case = is_best_case;
	replayed_ns = timeline_replay(observed->timeline, edits);
	edits_free(edits);
	return replayed_ns;
}

static void measure_untraced(struct self_check *check, const struct timeline *timeline,
			     int64_t wall_ns, int64_t untraced_ns)
{
	check->untraced_ns = wall_ns;
	if (!check->has_estimates || untraced_ns < 0)
		return;
	check->untraced_ns = min_ns(untraced_ns + check->outside_ns, wall_ns);
	check->untraced_doubt_ns =
		(int64_t)(timeline_tool_doubt(timeline) * (double)(wall_ns - check->untraced_ns));
	check->has_untraced = true;
	check->has_untraced_cupti = timeline_knows_cupti(timeline);
}

/* The replays, at the same time. */
struct checking {
	const struct observed *observed;
	struct timeline_times times;		      /* of the one of the run as it was traced */
	int64_t traced_ns, best_case_ns, untraced_ns; /* -1: not known */
};

enum check_part { CHECK_TRACED, CHECK_BEST_CASE, CHECK_UNTRACED, CHECK_PART_COUNT };

static void check_part(void *context, size_t part)
{
	struct checking *checking = context;
	const struct observed *observed = checking->observed;

	if (part == CHECK_TRACED)
		checking->traced_ns =
			timeline_replay_times(observed->timeline, NULL, &checking->times);
	else if (part == CHECK_BEST_CASE)
		checking->best_case_ns = replay_unedited(observed, true);
	else if (timeline_knows_tool(observed->timeline))
		checking->untraced_ns = replay_unedited(observed, false);
}

/* A device counts by the run: what it misses of a short time of its own shifts little. */
static bool is_near(const struct self_check *check, size_t device_count, int64_t wall_ns,
		    double unsure_ns)
{
	bool is_near = check->replayed_ns >= 0 &&
		       self_check_is_near(check->replayed_ns, wall_ns, unsure_ns);

	for (size_t i = 0; i < device_count; i++) {
		int64_t error_ns = check->devices[i].replayed_ns - check->devices[i].measured_ns;

		is_near &= self_check_is_near(wall_ns + error_ns, wall_ns, unsure_ns);
	}
	return is_near;
}

struct self_check self_check_run(const struct observed *observed, const struct sample *sample,
				 int64_t wall_ns)
{
	const struct model *model = observed->model;
	struct checking checking = {.observed = observed, .untraced_ns = -1};
	struct self_check check = {.spread = spread_measure(model->trace),
				   .most_least_ns = bound_most_least_time(model)};

	/* The host was at work there, too, and that stays as it was. */
	if (model->trace->window_count)
		check.outside_ns = wall_ns - timeline_measured_ns(observed->timeline);
	parallel_run(CHECK_PART_COUNT, check_part, &checking);
	check.best_case_ns = checking.best_case_ns;
	check.replayed_ns = checking.traced_ns;
	if (check.replayed_ns >= 0)
		check.replayed_ns += check.outside_ns;
	check.devices = check_devices(model, &checking.times);
	check.has_estimates = is_near(&check, model->device_count, wall_ns,
				      find_unsure(model->trace, sample, &checking.times));
	timeline_times_free(&checking.times);
	measure_untraced(&check, observed->timeline, wall_ns, checking.untraced_ns);
	return check;
}
