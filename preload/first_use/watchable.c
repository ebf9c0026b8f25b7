#include "first_use/watchable.h"

#include "base/losses.h"

static bool is_early(const struct watchable_question *question)
{
	return question->purpose != FIRST_USE_OF_RESULT;
}

/* False: it is device memory, or cannot be told. Whatever its kind, UNKNOWN must be counted. */
static bool find_host_memory(const struct watchable_question *question, uint64_t address,
			     uint64_t other, enum memory_type *type)
{
	const struct record *arguments = question->arguments;
	const uint8_t wanted = question->purpose == EARLY_SOURCE ? COPY_TO_DEVICE : COPY_TO_HOST;

	if (arguments->copy_kind != wanted && arguments->copy_kind != COPY_DEFAULT)
		return false;
	*type = memory_type_of(address);
	/* What a copy sends from the heap it has read when its call returns. */
	if (*type == MEMORY_TYPE_DEVICE || (is_early(question) && *type == MEMORY_TYPE_PAGEABLE))
		return false;
	return arguments->copy_kind != COPY_DEFAULT || memory_type_of(other) == MEMORY_TYPE_DEVICE;
}

/* Whether the memory can be protected and given back without a trace. */
static bool is_safe(const struct watchable_question *question, uint64_t address,
		    enum memory_type type, const struct pinned *pinned)
{
	const bool is_known = pinned->size_bytes && !pinned->is_registered;

	if (type == MEMORY_TYPE_UNKNOWN || (type == MEMORY_TYPE_PAGEABLE && !question->has_free) ||
	    memory_is_on_stack(address, question->arguments->size_bytes))
		return false;
	if (type == MEMORY_TYPE_PINNED && !is_known && !memory_keeps_pages())
		return false;
	return !is_early(question) ||
	       (pinned->size_bytes && !pinned->is_read_only && !memory_has_host_tables());
}

bool watchable_find(const struct watchable_question *question, const struct pinned *pinned,
		    struct first_use_copy *copy)
{
	const struct record *arguments = question->arguments;
	const bool is_source = question->purpose == EARLY_SOURCE;
	const uint64_t address = is_source ? arguments->src : arguments->dst;
	const uint64_t other = is_source ? arguments->dst : arguments->src;
	enum memory_type type;

	if (!find_host_memory(question, address, other, &type))
		return false;
	if (!is_safe(question, address, type, pinned)) {
		if (!question->is_of_kernel)
			losses_count(is_early(question) ? LOSS_WATCH : LOSS_FIRST_USE, 1);
		return false;
	}
	*copy = (struct first_use_copy){
		.purpose = question->purpose,
		.address = address,
		.size_bytes = arguments->size_bytes,
		.is_pageable = type == MEMORY_TYPE_PAGEABLE,
		.is_reachable = type == MEMORY_TYPE_PAGEABLE && memory_heap_is_reachable(),
	};
	memory_find_pages(address, arguments->size_bytes, type, pinned, &copy->low, &copy->high);
	if (copy->low < copy->high)
		return true;
	if (!question->is_of_kernel)
		losses_count(is_early(question) ? LOSS_WATCH_SMALL : LOSS_FIRST_USE_SMALL, 1);
	return false;
}
