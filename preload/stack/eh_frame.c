#include "stack/eh_frame.h"

#include "base/own_memory.h"

#include <dlfcn.h>

/* The rules of one frame take three to four pages: two of a binary search, its end, the frame's
 * entry. Two searches in one library share the first of them. */
#define PAGES	   64
#define PAGE_BYTES 4096

/* Far above what a function takes: an entry has some 100 bytes, 1 KB with many exits. */
#define ENTRY_BYTES_MOST 65536

/* Encodings of addresses (DW_EH_PE_*, Linux Standard Base, 10.5). */
#define ENCODING_FORMAT	  0x0f
#define ENCODING_RELATIVE 0x70
#define ENCODING_OMITTED  0xff
#define RELATIVE_TO_PC	  0x10
#define HEADER_COUNT	  0x03 /* 4 bytes, unsigned */
#define HEADER_TABLE	  0x3b /* 4 bytes, signed, relative to the header */
#define RETURN_ADDRESS	  16   /* DWARF's number of x86-64's rip */

struct page {
	uint64_t address; /* 0: none */
	uint8_t bytes[PAGE_BYTES];
};

static struct page pages[PAGES];

void eh_frame_forget(void)
{
	for (int i = 0; i < PAGES; i++)
		pages[i].address = 0;
}

static const uint8_t *find_page(uint64_t address)
{
	struct page *page = &pages[address / PAGE_BYTES % PAGES];
	const uint64_t begin = address & -(uint64_t)PAGE_BYTES;

	if (page->address == begin)
		return page->bytes;
	page->address = 0;
	if (!own_memory_read(page->bytes, begin, PAGE_BYTES))
		return NULL;
	page->address = begin;
	return page->bytes;
}

uint64_t eh_read_bytes(struct eh_reader *reader, unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++, reader->at++) {
		const uint8_t *page =
			reader->at < reader->end && !reader->is_bad ? find_page(reader->at) : NULL;

		if (!page) {
			reader->is_bad = true;
			return 0;
		}
		value |= (uint64_t)page[reader->at % PAGE_BYTES] << 8 * i;
	}
	return value;
}

static uint64_t read_varint(struct eh_reader *reader, bool is_signed)
{
	uint64_t value = 0, byte = 0x80;
	unsigned shift = 0;

	for (; byte & 0x80 && !reader->is_bad; shift += 7) {
		byte = eh_read_bytes(reader, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
	}
	if (is_signed && byte & 0x40 && shift < 64)
		value |= -(UINT64_C(1) << shift);
	return value;
}

uint64_t eh_read_unsigned(struct eh_reader *reader)
{
	return read_varint(reader, false);
}

int64_t eh_read_signed(struct eh_reader *reader)
{
	return (int64_t)read_varint(reader, true);
}

uint64_t eh_read_encoded(struct eh_reader *reader, uint8_t encoding)
{
	const uint64_t from = (encoding & ENCODING_RELATIVE) == RELATIVE_TO_PC ? reader->at : 0;

	switch (encoding & ENCODING_FORMAT) {
	case 0x0:
	case 0x4:
	case 0xc:
		return from + eh_read_bytes(reader, 8);
	case 0x1:
		return from + eh_read_unsigned(reader);
	case 0x2:
		return from + eh_read_bytes(reader, 2);
	case 0x3:
		return from + eh_read_bytes(reader, 4);
	case 0x9:
		return from + (uint64_t)eh_read_signed(reader);
	case 0xa:
		return from + (uint64_t)(int16_t)eh_read_bytes(reader, 2);
	case 0xb:
		return from + (uint64_t)(int32_t)eh_read_bytes(reader, 4);
	default:
		reader->is_bad = true;
		return 0;
	}
}

static void skip_bytes(struct eh_reader *reader, uint64_t count)
{
	if (count > reader->end - reader->at)
		reader->is_bad = true;
	else
		reader->at += count;
}

/* The address of the entry (FDE) for the greatest start at or before pc; 0: none. The table at the
 * end of .eh_frame_hdr has 4 bytes for each start and 4 for its entry's address, relative to the
 * header, in the order of the starts. */
static uint64_t search_header(uint64_t header, uint64_t end, uint64_t pc)
{
	struct eh_reader reader = {header, end, false};
	uint64_t head = eh_read_bytes(&reader, 4), low = 0, high, table;
	const int64_t wanted = (int64_t)(pc - header);

	if ((head & 0xff) != 1 || (head >> 16 & 0xff) != HEADER_COUNT || head >> 24 != HEADER_TABLE)
		return 0;
	eh_read_encoded(&reader, head >> 8 & 0xff);
	high = eh_read_bytes(&reader, 4);
	table = reader.at;
	while (low < high) {
		const uint64_t middle = (low + high) / 2;

		reader.at = table + middle * 8;
		if ((int32_t)eh_read_bytes(&reader, 4) <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || reader.is_bad)
		return 0;
	reader.at = table + (low - 1) * 8 + 4;
	return header + (uint64_t)(int32_t)eh_read_bytes(&reader, 4);
}

/* False: no entry starts here. */
static bool read_length(struct eh_reader *reader)
{
	const uint64_t length = eh_read_bytes(reader, 4);

	if (!length || length > ENTRY_BYTES_MOST || length > reader->end - reader->at)
		return false;
	reader->end = reader->at + length;
	return !reader->is_bad;
}

/* The letters of a CIE's augmentation, behind 'z'. */
static bool read_letters(struct eh_entry *entry, struct eh_reader *letters, struct eh_reader *data)
{
	for (;;) {
		switch (eh_read_bytes(letters, 1)) {
		case 0:
			return !letters->is_bad && !data->is_bad;
		case 'R':
			entry->encoding = (uint8_t)eh_read_bytes(data, 1);
			break;
		case 'P':
			eh_read_encoded(data, (uint8_t)eh_read_bytes(data, 1));
			break;
		case 'L':
			skip_bytes(data, 1);
			break;
		case 'S':
			entry->is_signal = true;
			break;
		default:
			return false;
		}
	}
}

static bool read_shared(struct eh_entry *entry, uint64_t address)
{
	struct eh_reader reader = {address, entry->module_end, false}, letters, data;
	uint64_t version, letter, bytes;

	if (!read_length(&reader) || eh_read_bytes(&reader, 4))
		return false;
	version = eh_read_bytes(&reader, 1);
	letters = reader;
	while (eh_read_bytes(&reader, 1))
		;
	entry->code_unit = eh_read_unsigned(&reader);
	entry->data_unit = eh_read_signed(&reader);
	if ((version != 1 && version != 3) ||
	    (version == 1 ? eh_read_bytes(&reader, 1) : eh_read_unsigned(&reader)) !=
		    RETURN_ADDRESS)
		return false;
	letter = eh_read_bytes(&letters, 1);
	entry->has_data = letter == 'z';
	if (letter && !entry->has_data)
		return false;
	if (entry->has_data) {
		bytes = eh_read_unsigned(&reader);
		data = reader;
		skip_bytes(&reader, bytes);
		if (!read_letters(entry, &letters, &data))
			return false;
	}
	entry->shared = reader;
	return !reader.is_bad;
}

static bool read_entry(struct eh_entry *entry, uint64_t address, uint64_t pc)
{
	struct eh_reader reader = {address, entry->module_end, false};
	uint64_t shared, here;

	if (!read_length(&reader))
		return false;
	here = reader.at;
	shared = eh_read_bytes(&reader, 4);
	if (!shared || shared > here || !read_shared(entry, here - shared))
		return false;
	entry->start = eh_read_encoded(&reader, entry->encoding);
	entry->end = entry->start + eh_read_encoded(&reader, entry->encoding & ENCODING_FORMAT);
	if (entry->has_data)
		skip_bytes(&reader, eh_read_unsigned(&reader));
	entry->own = reader;
	return !reader.is_bad && pc >= entry->start && pc < entry->end;
}

bool eh_entry_find(uint64_t pc, struct eh_entry *entry, bool *is_module)
{
	struct dl_find_object found;
	uint64_t address;

	*is_module = !_dl_find_object((void *)pc, &found);
	if (!*is_module || !found.dlfo_eh_frame)
		return false;
	*entry = (struct eh_entry){.module_end = (uint64_t)found.dlfo_map_end};
	address = search_header((uint64_t)found.dlfo_eh_frame, entry->module_end, pc);
	return address && read_entry(entry, address, pc);
}
