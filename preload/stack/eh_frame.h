/*
 * .eh_frame: the entry of the function that contains an instruction, and what entries are read by.
 *
 * The tables are copied page by page (base/own_memory.h). So a library that
 * is unloaded meanwhile, or tables of garbage, give wrong numbers or none, and never a fault. One
 * thread at a time.
 */
#ifndef STREAMTRACE_EH_FRAME_H
#define STREAMTRACE_EH_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* Reads from `at` up to `end`. Once something could not be read, is_bad is true, and all that is
 * read is 0. */
struct eh_reader {
	uint64_t at, end;
	bool is_bad;
};

/* A number of 1 to 8 bytes. */
uint64_t eh_read_bytes(struct eh_reader *reader, unsigned count);
/* A LEB128. */
uint64_t eh_read_unsigned(struct eh_reader *reader);
int64_t eh_read_signed(struct eh_reader *reader);
/* An address in an encoding of DW_EH_PE_*. */
uint64_t eh_read_encoded(struct eh_reader *reader, uint8_t encoding);

/* A function's entry (FDE), together with what several entries share (CIE). */
struct eh_entry {
	uint64_t start, end, module_end;
	uint64_t code_unit;
	int64_t data_unit;
	uint8_t encoding;
	bool has_data, is_signal;
	struct eh_reader shared, own; /* instructions */
};

/* Stores the entry of the function that contains pc. False: it has none. *is_module: whether pc
 * lies in a loaded module. */
bool eh_entry_find(uint64_t pc, struct eh_entry *entry, bool *is_module);

/* Forgets the pages that were read. Call after a library was unloaded. */
void eh_frame_forget(void);

#endif
