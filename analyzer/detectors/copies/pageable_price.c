#include "detectors/copies/pageable_price.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/copies/pageable_copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The host memory of the copies: each buffer by its address, as large as its largest copy. */
struct buffers {
	size_t count;
	uint64_t bytes, largest;
};

static struct buffers find_buffers(const struct instance *instances, size_t count)
{
	uint64_t *bytes = memory_array(count, sizeof(*bytes));
	struct buffers buffers = {0};
	struct map indexes = {0};

	for (size_t i = 0; i < count; i++) {
		uint64_t address = pageable_host_address(instances[i].operation);
		uint64_t size = instances[i].operation->form->size_bytes;
		size_t index;

		if (map_add(&indexes, address, buffers.count))
			buffers.count++;
		index = map_find(&indexes, address);
		bytes[index] = size > bytes[index] ? size : bytes[index];
		buffers.largest = size > buffers.largest ? size : buffers.largest;
	}
	for (size_t i = 0; i < buffers.count; i++)
		if (__builtin_add_overflow(buffers.bytes, bytes[i], &buffers.bytes))
			buffers.bytes = UINT64_MAX;
	map_free(&indexes);
	free(bytes);
	return buffers;
}

/* ", and pays after 3 copies": the fix saves each_ns with each of count copies. */
static void describe_return(int64_t price_ns, int64_t each_ns, size_t count, char *text,
			    size_t size)
{
	size_t used = strlen(text);
	struct format needed, made;
	uint64_t copies;

	if (each_ns <= 0)
		return;
	copies = 1 + (uint64_t)(max_ns(price_ns, 1) - 1) / (uint64_t)each_ns;
	used += (size_t)snprintf(text + used, size - used, " and pays after %s cop%s",
				 format_count(&needed, copies), copies == 1 ? "y" : "ies");
	if (copies > count)
		snprintf(text + used, size - used, " (there %s %s)", count == 1 ? "is" : "are",
			 format_count(&made, count));
}

/* What a buffer that is kept saves besides, where each copy has one of its own. */
static void describe_reuse(const struct buffers *buffers, size_t count, double faults_ns,
			   char *text, size_t size)
{
	size_t used = strlen(text);
	struct format copies, time;

	format_count(&copies, count);
	used += (size_t)(buffers->count == count
				 ? snprintf(text + used, size - used,
					    "; the %s copies use as many buffers: reuse one "
					    "that is pinned",
					    copies.text)
				 : snprintf(text + used, size - used,
					    "; most of the %s copies go to new memory: keep one "
					    "buffer that is pinned",
					    copies.text));
	if (faults_ns > 0 && faults_ns < TIME_MOST_NS && used < size)
		snprintf(text + used, size - used,
			 ", which also avoids page faults (about %s in all)",
			 format_time(&time, (int64_t)faults_ns));
}

/* How many copies went to new memory at an address used before, and the time of page faults in all
 * new memory. */
struct new_memory {
	size_t again_count;
	double faults_ns;
};

static struct new_memory find_new_memory(const struct model *model,
					 const struct instance *instances, size_t count)
{
	struct new_memory found = {0};

	for (size_t i = 0; i < count; i++) {
		if (!pageable_is_to_new(model, &instances[i]))
			continue;
		found.again_count += !pageable_copy_of(&instances[i]).is_fresh;
		found.faults_ns += (double)pageable_fault_ns(model, instances[i].operation);
	}
	return found;
}

/* Where each copy has a buffer of its own, one is pinned and kept: pinning each would cost more
 * than it saves. */
bool pageable_price(const struct model *model, const struct instance *instances, size_t count,
		    int64_t saved_ns, char *text, size_t size)
{
	struct copy_rate rate = rates_of_pinning(model->trace);
	struct buffers buffers = find_buffers(instances, count);
	struct new_memory found = find_new_memory(model, instances, count);
	bool is_each_new = count > 1 && (buffers.count == count || found.again_count * 2 > count);
	uint64_t bytes = is_each_new ? buffers.largest : buffers.bytes;
	size_t calls = is_each_new ? 1 : buffers.count;
	struct format format, time;
	int64_t time_ns;

	if (rate.source == RATE_UNKNOWN || !count)
		return false;
	time_ns = rates_copy_ns(rate, bytes, RATE_LIKELY) + (int64_t)(calls - 1) * rate.latency_ns;
	snprintf(text, size, "pinning %s takes about %s", format_bytes(&format, bytes),
		 format_time(&time, time_ns));
	describe_return(time_ns, saved_ns / (int64_t)count, count, text, size);
	if (is_each_new)
		describe_reuse(&buffers, count, found.faults_ns, text, size);
	return true;
}
