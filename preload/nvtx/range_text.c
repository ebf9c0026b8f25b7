#include "nvtx/range_text.h"

#include "base/atoms.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define STRINGS_MOST 16384
#define DOMAINS_MOST 1024

/* A handle is an index plus 1. */
struct texts {
	_Atomic uint32_t count; /* items that are or will be there; may exceed `most` */
	uint32_t most;
	_Atomic(struct atom *) *items;
};

static _Atomic(struct atom *) string_items[STRINGS_MOST], domain_items[DOMAINS_MOST];
static struct texts strings = {.most = STRINGS_MOST, .items = string_items};
static struct texts domains = {.most = DOMAINS_MOST, .items = domain_items};

static const char cut_mark[] = "...";

/* NULL: no room. */
static struct atom *atom_of(const char *text, size_t length, bool is_cut)
{
	uint64_t words[(RANGE_TEXT_MOST + 1) / 8] = {0};

	memcpy(words, text, length);
	if (is_cut)
		memcpy((char *)words + length - strlen(cut_mark), cut_mark, strlen(cut_mark));
	return atom_intern(&(const struct atom_text){.words = words,
						     .count = (uint16_t)(length / 8 + 1),
						     .kind = ATOM_TEXT},
			   ATOM_ADD_SPARE);
}

static struct atom *atom_of_text(const char *text)
{
	const size_t length = strnlen(text, RANGE_TEXT_MOST + 1);

	return length > RANGE_TEXT_MOST ? atom_of(text, RANGE_TEXT_MOST, true)
					: atom_of(text, length, false);
}

static size_t put_utf8(char bytes[4], uint32_t code)
{
	if (code < 0x80) {
		bytes[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		bytes[0] = (char)(0xc0 | code >> 6);
		bytes[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		bytes[0] = (char)(0xe0 | code >> 12);
		bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
		bytes[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	bytes[0] = (char)(0xf0 | (code >> 18 & 7));
	bytes[1] = (char)(0x80 | (code >> 12 & 0x3f));
	bytes[2] = (char)(0x80 | (code >> 6 & 0x3f));
	bytes[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

/* Keeps one byte more than RANGE_TEXT_MOST, so that a text that must be cut is recognized. */
static void to_utf8(char text[RANGE_TEXT_MOST + 2], const wchar_t *wide)
{
	size_t length = 0;

	for (; *wide && length + 4 <= RANGE_TEXT_MOST + 1; wide++)
		length += put_utf8(text + length, (uint32_t)*wide);
	text[length] = '\0';
}

void range_text_set(struct range_fields *fields, const char *message)
{
	const size_t length = message ? strnlen(message, RANGE_TEXT_BYTES + 1) : 0;

	if (length > RANGE_TEXT_BYTES)
		fields->name = atom_of_text(message);
	if (fields->name)
		return;
	fields->text_bytes = (uint16_t)(length < RANGE_TEXT_BYTES ? length : RANGE_TEXT_BYTES);
	if (length)
		memcpy(fields->text, message, fields->text_bytes);
	if (length > RANGE_TEXT_BYTES)
		memcpy(fields->text + RANGE_TEXT_BYTES - strlen(cut_mark), cut_mark,
		       strlen(cut_mark));
}

void range_text_set_wide(struct range_fields *fields, const wchar_t *message)
{
	char text[RANGE_TEXT_MOST + 2];

	if (!message)
		return;
	to_utf8(text, message);
	range_text_set(fields, text);
}

/* The text of a handle; NULL: unknown, or not stored yet. */
static struct atom *text_of(const struct texts *texts, const void *handle)
{
	const uintptr_t number = (uintptr_t)handle;

	return number && number <= texts->most
		       ? atomic_load_explicit(&texts->items[number - 1], memory_order_acquire)
		       : NULL;
}

static void *add_text(struct texts *texts, struct atom *atom)
{
	uint32_t index;

	if (!atom || atomic_load(&texts->count) >= texts->most)
		return NULL;
	index = atomic_fetch_add(&texts->count, 1);
	if (index >= texts->most)
		return NULL;
	atomic_store_explicit(&texts->items[index], atom, memory_order_release);
	return (void *)(uintptr_t)(index + 1);
}

void *range_text_register(const char *text)
{
	return text ? add_text(&strings, atom_of_text(text)) : NULL;
}

void *range_text_register_wide(const wchar_t *wide)
{
	char text[RANGE_TEXT_MOST + 2];

	if (!wide)
		return NULL;
	to_utf8(text, wide);
	return range_text_register(text);
}

void *range_text_domain(const char *name)
{
	struct atom *atom = name ? atom_of_text(name) : NULL;

	for (uint32_t i = 0; atom && i < atomic_load(&domains.count) && i < DOMAINS_MOST; i++)
		if (atomic_load(&domains.items[i]) == atom)
			return (void *)(uintptr_t)(i + 1);
	return add_text(&domains, atom);
}

void *range_text_domain_wide(const wchar_t *wide)
{
	char name[RANGE_TEXT_MOST + 2];

	if (!wide)
		return NULL;
	to_utf8(name, wide);
	return range_text_domain(name);
}

struct atom *range_text_of_domain(const void *handle)
{
	return text_of(&domains, handle);
}

void range_text_set_attributes(struct range_fields *fields, const nvtxEventAttributes_t *attributes)
{
	/* Programs built with an older version have smaller attributes. */
	if (!attributes || attributes->size < sizeof(*attributes))
		return;
	fields->has_color = attributes->colorType == NVTX_COLOR_ARGB;
	fields->color = fields->has_color ? attributes->color : 0;
	switch (attributes->messageType) {
	case NVTX_MESSAGE_TYPE_ASCII:
		range_text_set(fields, attributes->message.ascii);
		break;
	case NVTX_MESSAGE_TYPE_UNICODE:
		range_text_set_wide(fields, attributes->message.unicode);
		break;
	case NVTX_MESSAGE_TYPE_REGISTERED:
		fields->name = text_of(&strings, attributes->message.registered);
		break;
	default:
		break;
	}
}
