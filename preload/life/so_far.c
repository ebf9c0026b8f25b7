#include "life/so_far.h"

#include "base/clock.h"
#include "cupti/source.h"
#include "first_use/first_use.h"
#include "host/host.h"
#include "life/loss_rows.h"
#include "nvtx/nvtx.h"
#include "stack/python_frames.h"
#include "store/store.h"

static void describe_python(struct store *store)
{
	char text[128];

	if (python_frames_status(text, sizeof(text)))
		store_metadata(store, "python", text);
}

void so_far_store(struct store *store)
{
	first_use_describe(store);
	loss_rows_store(store);
	store_tool_costs(store);
	cupti_source_describe(store);
	host_describe(store);
	describe_python(store);
	if (nvtx_status())
		store_metadata(store, "nvtx", nvtx_status());
	store_metadata_int(store, "end_ns", clock_now_ns());
	store_metadata_int(store, "tool_cpu_ns", clock_ns(CLOCK_THREAD_CPUTIME_ID));
}
