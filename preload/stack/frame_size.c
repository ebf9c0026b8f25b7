#include "stack/frame_size.h"

#include "base/own_memory.h"
#include "stack/eh_frame.h"

#include <string.h>

/* Of a function's code, in which it has subtracted from rsp. */
#define PROLOGUE_BYTES 96
#define CALL_MOST      7 /* bytes of the longest indirect call, with an index and a distance */

/* sub $imm8, %rsp and sub $imm32, %rsp, without their numbers */
static const uint8_t subtract_byte[] = {0x48, 0x83, 0xec};
static const uint8_t subtract_word[] = {0x48, 0x81, 0xec};

/* What the code subtracts from rsp first; 0: nothing. */
static int32_t find_subtracted(const uint8_t *code, size_t bytes)
{
	int32_t word;

	for (size_t i = 0; i + sizeof(subtract_word) + sizeof(word) <= bytes; i++) {
		if (!memcmp(code + i, subtract_byte, sizeof(subtract_byte)))
			return (int8_t)code[i + sizeof(subtract_byte)];
		if (!memcmp(code + i, subtract_word, sizeof(subtract_word))) {
			memcpy(&word, code + i + sizeof(subtract_word), sizeof(word));
			return word;
		}
	}
	return 0;
}

/* How far below the CFA the lowest register is saved: so much has been pushed. */
static int32_t find_pushed(const struct unwind_rules *rules)
{
	int32_t pushed = 0;

	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		if (rules->registers[i].how == UNWIND_SAVED &&
		    rules->registers[i].base == UNWIND_CFA && -rules->registers[i].offset > pushed)
			pushed = -rules->registers[i].offset;
	return pushed;
}

int32_t frame_size_at(uint64_t pc, const struct unwind_rules *rules)
{
	uint8_t code[PROLOGUE_BYTES];
	struct eh_entry entry;
	size_t bytes;
	int32_t subtracted;
	bool is_module;

	if (rules->cfa_base != UNWIND_RBP || rules->cfa_is_loaded ||
	    !eh_entry_find(pc, &entry, &is_module) || pc < entry.start)
		return 0;
	bytes = pc - entry.start < sizeof(code) ? pc - entry.start : sizeof(code);
	if (!own_memory_read(code, entry.start, bytes))
		return 0;
	subtracted = find_subtracted(code, bytes);
	return subtracted < 0 ? 0 : find_pushed(rules) + subtracted;
}

/* Whether the last `length` bytes are an indirect call, maybe behind a prefix. */
static bool is_indirect_call(const uint8_t *bytes, size_t length)
{
	const uint8_t *code = &bytes[CALL_MOST - length];

	if (length > 2 && (code[0] & 0xf0) == 0x40)
		code++;
	return code[0] == 0xff && (code[1] >> 3 & 7) == 2;
}

bool frame_size_is_return(uint64_t address)
{
	uint8_t bytes[CALL_MOST];

	if (address < sizeof(bytes) ||
	    !own_memory_read(bytes, address - sizeof(bytes), sizeof(bytes)))
		return false;
	if (bytes[CALL_MOST - 5] == 0xe8)
		return true;
	for (size_t length = 2; length <= CALL_MOST; length++)
		if (is_indirect_call(bytes, length))
			return true;
	return false;
}
