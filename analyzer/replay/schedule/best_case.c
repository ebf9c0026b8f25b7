/* What the trace leaves open, for the better: edits.is_best_case. */
#include "base/minmax.h"
#include "replay/schedule/building.h"

int64_t building_lag(const struct building *building, int64_t lag_ns, int64_t typical_ns)
{
	return building_is_best_case(building) ? min_ns(lag_ns, typical_ns) : lag_ns;
}

void building_fill_tail(const struct building *building, size_t index, struct schedule_work *work)
{
	const struct model *model = building->timeline->model;
	size_t operation = (size_t)(model->operations[index].operation - model->trace->operations);
	const struct occupancy *occupancy = &model->loads[operation].occupancy;

	work->tail_ns = 0;
	work->release_ns =
		min_ns(work->release_ns,
		       -(int64_t)((double)occupancy->tail_ns *
				  (occupancy->share - occupancy->tail_share) / OCCUPANCY_WHOLE));
}
