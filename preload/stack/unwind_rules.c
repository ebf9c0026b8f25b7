#include "stack/unwind_rules.h"

#include "stack/eh_frame.h"

/* remember_state inside of remember_state: compilers nest them once. */
#define REMEMBERED_MOST 4

/* The PLT's expression; no other has this length. */
#define PLT_BYTES 11

/* A run of the instructions up to pc. */
struct run {
	const struct eh_entry *entry;
	struct unwind_rules *rules;
	struct unwind_rules initial; /* as the shared instructions left them */
	struct unwind_rules remembered[REMEMBERED_MOST];
	int remembered_count;
	uint64_t pc, location;
	struct eh_reader reader;
};

/* A LEB128 in units of the stack's words. */
static int64_t read_scaled(struct run *run, bool is_signed)
{
	const uint64_t count =
		is_signed ? (uint64_t)eh_read_signed(&run->reader) : eh_read_unsigned(&run->reader);

	return (int64_t)(count * (uint64_t)run->entry->data_unit);
}

static void set_rule(struct run *run, uint64_t number, enum unwind_how how, uint64_t base,
		     int64_t offset)
{
	/* Vector registers have numbers from 17 on. */
	if (number >= UNWIND_REGISTERS)
		return;
	if (offset != (int16_t)offset || base > UNWIND_CFA)
		run->reader.is_bad = true;
	run->rules->registers[number] = (struct unwind_rule){(int16_t)offset, (uint8_t)base, how};
}

static void set_cfa(struct run *run, uint64_t base, int64_t offset, bool is_loaded)
{
	if (base >= UNWIND_RIP || offset != (int32_t)offset)
		run->reader.is_bad = true;
	run->rules->cfa_base = (uint8_t)base;
	run->rules->cfa_offset = (int32_t)offset;
	run->rules->cfa_is_loaded = is_loaded;
}

/* The expression of the linker's table of functions (PLT), whose entries have 16 bytes: 8 above rsp,
 * and 8 more from the byte on behind the entry's push. */
static void read_plt(struct run *run, uint64_t *base, int64_t *offset)
{
	enum { DW_OP_lit0 = 0x30, PUSHED = 6 };
	static const uint8_t expected[PLT_BYTES] = {0x77, 8,	0x80, 0,    0x3f, 0x1a,
						    0,	  0x2a, 0x33, 0x24, 0x22};
	uint64_t pushed = 0;

	for (int i = 0; i < PLT_BYTES; i++) {
		const uint64_t byte = eh_read_bytes(&run->reader, 1);

		if (i == PUSHED)
			pushed = byte - DW_OP_lit0;
		else if (byte != expected[i])
			run->reader.is_bad = true;
	}
	*base = UNWIND_RSP;
	*offset = (run->pc & 15) >= pushed ? 16 : 8;
}

/* An expression `register + offset`, with DW_OP_deref behind it or not: frames that align the
 * stack, and signals' frames, have no others. */
static void read_expression(struct run *run, uint64_t *base, int64_t *offset, bool *is_loaded)
{
	enum { DW_OP_deref = 0x06, DW_OP_breg0 = 0x70 };
	struct eh_reader *reader = &run->reader;
	const uint64_t bytes = eh_read_unsigned(reader), end = reader->at + bytes;

	*is_loaded = false;
	if (bytes == PLT_BYTES) {
		read_plt(run, base, offset);
		return;
	}
	*base = eh_read_bytes(reader, 1) - DW_OP_breg0;
	*offset = eh_read_signed(reader);
	if (reader->at < end)
		*is_loaded = eh_read_bytes(reader, 1) == DW_OP_deref;
	if (*base >= UNWIND_RIP || reader->at != end)
		reader->is_bad = true;
}

static void set_expression(struct run *run, enum unwind_how how)
{
	const uint64_t number = eh_read_unsigned(&run->reader);
	uint64_t base;
	int64_t offset;
	bool is_loaded;

	read_expression(run, &base, &offset, &is_loaded);
	if (is_loaded)
		run->reader.is_bad = true;
	set_rule(run, number, how, base, offset);
}

static void restore_rule(struct run *run, uint64_t number)
{
	if (number < UNWIND_REGISTERS)
		run->rules->registers[number] = run->initial.registers[number];
}

static void remember_rules(struct run *run)
{
	if (run->remembered_count == REMEMBERED_MOST)
		run->reader.is_bad = true;
	else
		run->remembered[run->remembered_count++] = *run->rules;
}

static void recall_rules(struct run *run)
{
	if (!run->remembered_count)
		run->reader.is_bad = true;
	else
		*run->rules = run->remembered[--run->remembered_count];
}

static void run_cfa(struct run *run, uint64_t instruction)
{
	struct eh_reader *reader = &run->reader;
	uint64_t base = run->rules->cfa_base;
	int64_t offset = run->rules->cfa_offset;
	bool is_loaded = false;

	switch (instruction) {
	case 0x0c: /* def_cfa */
		base = eh_read_unsigned(reader);
		offset = (int64_t)eh_read_unsigned(reader);
		break;
	case 0x0d: /* def_cfa_register */
		base = eh_read_unsigned(reader);
		break;
	case 0x0e: /* def_cfa_offset */
		offset = (int64_t)eh_read_unsigned(reader);
		break;
	case 0x0f: /* def_cfa_expression */
		read_expression(run, &base, &offset, &is_loaded);
		break;
	case 0x12: /* def_cfa_sf */
		base = eh_read_unsigned(reader);
		offset = read_scaled(run, true);
		break;
	case 0x13: /* def_cfa_offset_sf */
		offset = read_scaled(run, true);
		break;
	}
	set_cfa(run, base, offset, is_loaded);
}

/* The instructions whose first operand is a register. */
static void run_register(struct run *run, uint64_t instruction)
{
	struct eh_reader *reader = &run->reader;
	const uint64_t number = eh_read_unsigned(reader);

	switch (instruction) {
	case 0x05: /* offset_extended */
		set_rule(run, number, UNWIND_SAVED, UNWIND_CFA, read_scaled(run, false));
		break;
	case 0x06: /* restore_extended */
		restore_rule(run, number);
		break;
	case 0x07: /* undefined */
		set_rule(run, number, UNWIND_LOST, 0, 0);
		break;
	case 0x08: /* same_value */
		set_rule(run, number, UNWIND_SAME, 0, 0);
		break;
	case 0x09: /* register */
		set_rule(run, number, UNWIND_VALUE, eh_read_unsigned(reader), 0);
		break;
	case 0x11: /* offset_extended_sf */
		set_rule(run, number, UNWIND_SAVED, UNWIND_CFA, read_scaled(run, true));
		break;
	case 0x14: /* val_offset */
		set_rule(run, number, UNWIND_VALUE, UNWIND_CFA, read_scaled(run, false));
		break;
	case 0x15: /* val_offset_sf */
		set_rule(run, number, UNWIND_VALUE, UNWIND_CFA, read_scaled(run, true));
		break;
	}
}

static void run_other(struct run *run, uint64_t instruction)
{
	struct eh_reader *reader = &run->reader;

	switch (instruction) {
	case 0x00: /* nop */
		break;
	case 0x01: /* set_loc */
		run->location = eh_read_encoded(reader, run->entry->encoding);
		break;
	case 0x02: /* advance_loc1 */
	case 0x03: /* advance_loc2 */
	case 0x04: /* advance_loc4 */
		run->location +=
			eh_read_bytes(reader, 1u << (instruction - 2)) * run->entry->code_unit;
		break;
	case 0x0a:
		remember_rules(run);
		break;
	case 0x0b:
		recall_rules(run);
		break;
	case 0x10: /* expression */
		set_expression(run, UNWIND_SAVED);
		break;
	case 0x16: /* val_expression */
		set_expression(run, UNWIND_VALUE);
		break;
	case 0x2e: /* GNU_args_size */
		eh_read_unsigned(reader);
		break;
	default:
		reader->is_bad = true;
	}
}

/* instruction: below 64, one without an operand in its lower bits. */
static void run_plain(struct run *run, uint64_t instruction)
{
	static const uint64_t of_registers = 1 << 0x05 | 1 << 0x06 | 1 << 0x07 | 1 << 0x08 |
					     1 << 0x09 | 1 << 0x11 | 1 << 0x14 | 1 << 0x15;
	static const uint64_t of_cfa =
		1 << 0x0c | 1 << 0x0d | 1 << 0x0e | 1 << 0x0f | 1 << 0x12 | 1 << 0x13;

	if (of_registers >> instruction & 1)
		run_register(run, instruction);
	else if (of_cfa >> instruction & 1)
		run_cfa(run, instruction);
	else
		run_other(run, instruction);
}

/* Runs the instructions (DW_CFA_*, DWARF 6.4.2) until pc is reached. */
static bool run_instructions(struct run *run, struct eh_reader instructions)
{
	uint64_t instruction, operand;

	run->reader = instructions;
	while (run->reader.at < run->reader.end && run->location <= run->pc &&
	       !run->reader.is_bad) {
		instruction = eh_read_bytes(&run->reader, 1);
		operand = instruction & 0x3f;
		switch (instruction >> 6) {
		case 1: /* advance_loc */
			run->location += operand * run->entry->code_unit;
			break;
		case 2: /* offset */
			set_rule(run, operand, UNWIND_SAVED, UNWIND_CFA, read_scaled(run, false));
			break;
		case 3: /* restore */
			restore_rule(run, operand);
			break;
		default:
			run_plain(run, operand);
		}
	}
	return !run->reader.is_bad;
}

bool unwind_rules_find(uint64_t pc, struct unwind_rules *rules, bool *is_module)
{
	struct eh_entry entry;
	struct run run = {.entry = &entry, .rules = rules, .pc = pc};

	if (!eh_entry_find(pc, &entry, is_module))
		return false;
	/* UNWIND_RIP as the CFA's base: not set yet. */
	*rules = (struct unwind_rules){.is_signal = entry.is_signal, .cfa_base = UNWIND_RIP};
	rules->registers[UNWIND_RSP] = (struct unwind_rule){0, UNWIND_CFA, UNWIND_VALUE};
	run.location = entry.start;
	if (!run_instructions(&run, entry.shared))
		return false;
	run.initial = *rules;
	return run_instructions(&run, entry.own) && rules->cfa_base != UNWIND_RIP;
}
