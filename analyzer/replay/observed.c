#include "replay/observed.h"

struct observed observed_build(struct model *model)
{
	struct timeline *timeline = timeline_build(model);

	return (struct observed){model, timeline, evidence_build(timeline)};
}

struct observed observed_build_waits(struct model *model)
{
	struct timeline *waits = timeline_build_waits(model);
	struct observed observed = {.model = model, .evidence = evidence_build(waits)};

	timeline_free(waits);
	return observed;
}

void observed_free(const struct observed *observed)
{
	evidence_free((struct evidence *)observed->evidence);
	if (observed->timeline)
		timeline_free((struct timeline *)observed->timeline);
	model_free((struct model *)observed->model);
}
