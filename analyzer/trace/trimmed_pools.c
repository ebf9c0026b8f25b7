/* Marks the forms of calls that gave memory of pools back to the device (memory_pools). */
#include "trace/forms.h"
#include "trace/loader.h"
#include "trace/trace_private.h"

#include <string.h>

/* Of memory_pools.operation (preload/schema.sql). */
enum { TRIMMED = 3 };

/* Beyond any pool; one that is nonsense counts as kept. */
#define SPARE_LIMIT (INT64_C(1) << 60)

static int64_t spare_bytes(const struct memory_pools_row *row)
{
	if (row->size_bytes < 0 || row->utilized_bytes < 0 || row->size_bytes > SPARE_LIMIT)
		return SPARE_LIMIT;
	return row->utilized_bytes < row->size_bytes ? row->size_bytes - row->utilized_bytes : 0;
}

/* Of several pools, what the one has that has most. */
static void mark_call(struct trace *trace, struct trace_call *call, uint64_t spare)
{
	struct trace_call_form form;

	if (call->form->pool_spare_bytes > spare)
		return;
	memcpy(&form, call->form, sizeof(form)); /* its padding is compared */
	form.pool_spare_bytes = spare + 1;
	call->form = forms_keep(&trace->private->lent_forms, &form);
}

void trace_read_pool_trims(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct memory_pools_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_memory_pools, "");
	while (rows_next_memory_pools(&rows, &row)) {
		size_t call = row.operation == TRIMMED
				      ? trace_find_correlated(loader, row.correlation_id)
				      : MAP_NONE;

		if (call != MAP_NONE)
			mark_call(trace, &trace->calls[call], (uint64_t)spare_bytes(&row));
	}
	rows_close(&rows);
}
