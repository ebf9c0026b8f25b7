#include "mcp/paging.h"

#include <stdbool.h>

/* A part being filled. */
struct filling {
	size_t index, offset; /* of the next element, and of the first that is wanted */
	size_t bytes;	      /* of the part */
	bool has_any, is_full;
};

static size_t size_of(const json_t *value)
{
	return json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_ENCODE_ANY);
}

/* The elements of the array that belong into the part: a new reference. */
static json_t *fill_array(struct filling *filling, const json_t *array)
{
	json_t *part = json_array();

	for (size_t i = 0; i < json_array_size(array) && !filling->is_full; i++) {
		json_t *element = json_array_get(array, i);
		size_t bytes;

		if (filling->index < filling->offset) {
			filling->index++;
			continue;
		}
		bytes = size_of(element) + 1;
		if (filling->has_any && filling->bytes + bytes > PAGING_MOST_BYTES) {
			filling->is_full = true;
			break;
		}
		json_array_append(part, element);
		filling->bytes += bytes;
		filling->has_any = true;
		filling->index++;
	}
	return part;
}

/* What is not in arrays, which is sent once, and whole. */
static size_t size_of_rest(json_t *whole)
{
	size_t bytes = 0;

	for (void *place = json_object_iter(whole); place;
	     place = json_object_iter_next(whole, place))
		if (!json_is_array(json_object_iter_value(place)))
			bytes += size_of(json_object_iter_value(place));
	return bytes;
}

static json_t *fill_object(struct filling *filling, json_t *whole)
{
	json_t *part = json_object();

	for (void *place = json_object_iter(whole); place;
	     place = json_object_iter_next(whole, place)) {
		const char *key = json_object_iter_key(place);
		json_t *value = json_object_iter_value(place);

		if (json_is_array(value))
			value = fill_array(filling, value);
		else
			json_incref(value);
		if (!filling->offset || json_array_size(value))
			json_object_set(part, key, value);
		json_decref(value);
	}
	return part;
}

json_t *paging_of_json(json_t *whole, size_t offset, size_t *next)
{
	struct filling filling = {.offset = offset};
	json_t *part;

	*next = 0;
	if (!offset && size_of(whole) <= PAGING_MOST_BYTES)
		return json_incref(whole);
	if (!offset)
		filling.bytes = size_of_rest(whole);
	part = json_is_array(whole) ? fill_array(&filling, whole) : fill_object(&filling, whole);
	if (filling.is_full)
		*next = filling.index;
	return part;
}

size_t paging_of_text(const char *text, size_t size, size_t offset, size_t *next)
{
	size_t end = offset + PAGING_MOST_BYTES;

	*next = 0;
	if (end >= size)
		return size - offset;
	while (end > offset && text[end - 1] != '\n')
		end--;
	if (end == offset)
		end = offset + PAGING_MOST_BYTES;
	/* Not within a character. */
	while (end > offset && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	*next = end;
	return end - offset;
}
