#include "stack/python_code.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILE_BYTES     512 /* of a longer name only the end is kept */
#define FUNCTION_BYTES 256

/* The first frames are read with checks: the structures may differ from those of the version (a
 * private build). If the system call is forbidden, symbols and types must do. */
bool python_is_readable(uint64_t address)
{
	uint64_t word;
	struct iovec local = {&word, sizeof(word)};
	struct iovec remote = {(void *)address, sizeof(word)};

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == sizeof(word) ||
	       errno == ENOSYS || errno == EPERM;
}

static uint64_t read_varint(const uint8_t **byte, const uint8_t *end)
{
	uint64_t value = 0;

	for (int shift = 0; *byte < end && shift < 60; shift += 6) {
		uint8_t bits = *(*byte)++;

		value |= (uint64_t)(bits & 63) << shift;
		if (!(bits & 64))
			break;
	}
	return value;
}

/* How much an entry of a location table adds to the line (CPython's InternalDocs/code_objects.md).
 * *has_line is false if the entry's code has no line. byte: the entry's second byte. */
static int64_t line_delta(int code, const uint8_t *byte, const uint8_t *end, bool *has_line)
{
	uint64_t value;

	*has_line = code != 15;
	if (code == 11 || code == 12)
		return code - 10;
	if (code != 13 && code != 14)
		return 0;
	value = read_varint(&byte, end);
	return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

/* 0: no line. */
static int64_t find_line(const struct python_objects *objects, const struct python_code *code)
{
	const struct python_layout *layout = &objects->layout;
	uint64_t table = python_load(code->code, layout->code_linetable, false);
	int64_t unit = (int64_t)(code->instruction - code->code - layout->code_bytes) / 2;
	const uint8_t *byte = (const uint8_t *)table + PYTHON_BYTES_DATA, *end;
	int64_t line = python_first_line(objects, code);
	bool has_line = true;

	if (python_load(table, PYTHON_OBJECT_TYPE, false) != objects->bytes_type)
		return line;
	end = byte + python_load(table, PYTHON_BYTES_SIZE, false);
	while (byte < end && unit >= 0) {
		uint8_t head = *byte++;

		line += line_delta(head >> 3 & 15, byte, end, &has_line);
		unit -= (head & 7) + 1;
		while (byte < end && !(*byte & 128))
			byte++;
	}
	return has_line && line > 0 ? line : 0;
}

static size_t put_character(char *text, uint32_t character)
{
	if (character < 0x80) {
		text[0] = (char)character;
		return 1;
	}
	if (character < 0x800) {
		text[0] = (char)(0xc0 | character >> 6);
		text[1] = (char)(0x80 | (character & 63));
		return 2;
	}
	if (character < 0x10000) {
		text[0] = (char)(0xe0 | character >> 12);
		text[1] = (char)(0x80 | (character >> 6 & 63));
		text[2] = (char)(0x80 | (character & 63));
		return 3;
	}
	text[0] = (char)(0xf0 | (character >> 18 & 7));
	text[1] = (char)(0x80 | (character >> 12 & 63));
	text[2] = (char)(0x80 | (character >> 6 & 63));
	text[3] = (char)(0x80 | (character & 63));
	return 4;
}

/* Copies a str as UTF-8 with a NUL, only its end if it is too long. Returns the bytes written. */
static size_t copy_text(const struct python_objects *objects, uint64_t object, char *text,
			size_t size)
{
	/* unsigned interned:2, kind:3, compact:1, ascii:1 */
	uint32_t bits = (uint32_t)python_load(object, PYTHON_UNICODE_STATE, false);
	uint32_t width = bits >> 2 & 7;
	bool is_compact = bits & 32, is_ascii = bits & 64;
	const char *data = (const char *)object +
			   (is_ascii ? objects->layout.ascii_bytes : objects->layout.compact_bytes);
	size_t length = python_load(object, PYTHON_UNICODE_LENGTH, false), used = 0;
	size_t room = (size - 1) / (is_ascii ? 1 : 4);

	if (python_load(object, PYTHON_OBJECT_TYPE, false) != objects->unicode_type ||
	    !is_compact || (width != 1 && width != 2 && width != 4)) {
		strcpy(text, "?");
		return 2;
	}
	for (size_t i = length > room ? length - room : 0; i < length; i++) {
		uint32_t character = 0;

		memcpy(&character, data + i * width, width);
		used += put_character(text + used, character);
	}
	text[used] = '\0';
	return used + 1;
}

struct atom *python_code_intern(const struct python_objects *objects,
				const struct python_code *code, enum atom_add add)
{
	enum { BYTES = sizeof(struct python_frame) + FILE_BYTES + FUNCTION_BYTES };
	uint64_t words[BYTES / sizeof(uint64_t)] = {0};
	struct python_frame *result = (struct python_frame *)words;
	size_t used;

	result->line = find_line(objects, code);
	used = copy_text(objects, python_load(code->code, objects->layout.code_filename, false),
			 result->text, FILE_BYTES);
	used += copy_text(objects, python_load(code->code, objects->layout.code_qualname, false),
			  result->text + used, FUNCTION_BYTES);
	return atom_intern(
		&(struct atom_text){
			.words = words,
			.count = (uint16_t)((sizeof(*result) + used + 7) / sizeof(words[0])),
			.kind = ATOM_PYTHON_FRAME,
		},
		add);
}
