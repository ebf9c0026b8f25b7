#include "detectors/copies/contents.h"

#include "facts/content.h"

#include <stddef.h>

static bool is_whole(uint32_t hash)
{
	return (hash & CONTENT_IS_WHOLE) != 0;
}

/* The hash of its lines; 0: not known. */
static uint32_t lines_of(const struct content *content)
{
	return is_whole(content->hash) ? content->lines : content->hash;
}

void contents_begin(struct contents *contents)
{
	*vector_add(&contents->all) = (struct content){0};
}

struct content *contents_at(struct contents *contents, uint64_t start, uint64_t end)
{
	uint64_t cursor = 0;
	const struct extent *extent = extents_next(&contents->known, start, end, &cursor);
	struct content *content;

	if (!extent || !extent->value || extent->start > start || extent->end < end)
		return NULL;
	content = &contents->all.items[extent->value];
	return content->start == start && content->end == end ? content : NULL;
}

enum content_proof contents_compare(const struct content *before, uint32_t hash)
{
	bool is_small = before->end - before->start <= CONTENT_SMALL_BYTES;

	if (!before->hash || !hash)
		return PROOF_NONE;
	if (before->whole && is_whole(hash))
		return before->whole == hash ? PROOF_WHOLE : is_small ? PROOF_NONE : PROOF_AGAINST;
	/* All bytes were hashed because the lines are those of the copy before. */
	if (is_whole(hash))
		return PROOF_LINES;
	return hash == lines_of(before) ? PROOF_LINES : PROOF_NONE;
}

void contents_set(struct contents *contents, struct content now, const struct content *before,
		  enum content_proof proof)
{
	now.lines = is_whole(now.hash) ? 0 : now.hash;
	now.whole = is_whole(now.hash) ? now.hash : 0;
	if (before && proof != PROOF_NONE && is_whole(now.hash))
		now.lines = lines_of(before);
	if (before && proof != PROOF_NONE && !is_whole(now.hash))
		now.whole = before->whole;
	extents_set(&contents->known, now.start, now.end, (uint32_t)contents->all.count);
	*vector_add(&contents->all) = now;
}

void contents_forget(struct contents *contents, uint64_t start, uint64_t end)
{
	if (start < end)
		extents_set(&contents->known, start, end, 0);
}

void contents_free(struct contents *contents)
{
	vector_free(&contents->all);
	extents_free(&contents->known);
}
