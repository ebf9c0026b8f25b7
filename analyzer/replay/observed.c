#include "replay/observed.h"

struct observed observed_build(struct model *model)
{
	struct timeline *timeline = timeline_build(model);
	struct evidence *evidence = evidence_build(timeline);

	return (struct observed){model, timeline, evidence,
				 host_gaps_find(model, timeline, evidence)};
}

struct observed observed_build_waits(struct model *model)
{
	struct timeline *waits = timeline_build_waits(model);
	struct observed observed = {.model = model, .evidence = evidence_build(waits)};

	timeline_free(waits);
	observed.host_gaps = host_gaps_find(model, NULL, observed.evidence);
	return observed;
}

void observed_free(const struct observed *observed)
{
	host_gaps_free(observed->host_gaps);
	evidence_free((struct evidence *)observed->evidence);
	if (observed->timeline)
		timeline_free((struct timeline *)observed->timeline);
	model_free((struct model *)observed->model);
}
