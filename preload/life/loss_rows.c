#include "life/loss_rows.h"

#include "cupti/status.h"
#include "store/store.h"

void loss_rows_store(struct store *store)
{
	char error[CUPTI_STATUS_BYTES];

	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		uint64_t count = losses_take(loss);

		if (!count)
			continue;
		if (loss == LOSS_CUPTI_ERROR)
			cupti_status_error(error);
		store_loss(store, losses_name(loss), count, STORE_NULL,
			   loss == LOSS_CUPTI_ERROR ? error : NULL);
	}
}

void loss_rows_store_of_thread(struct store *store, enum loss loss, uint64_t count,
			       uint32_t thread_id)
{
	if (count)
		store_loss(store, losses_name(loss), count, thread_id, NULL);
}
