#include "recorder/pack.h"

#include <string.h>

/* The most that one call may add: fourteen numbers of ten bytes, and four notes. */
#define MOST_CALL_BYTES	 ((4 + CALL_BLOCK_FIELDS) * BLOCK_NUMBER_BYTES)
#define MOST_CALL_NOTES	 4
#define MOST_OTHER_NOTES (1 + PACKED_OTHER_NOTES)

#define NOT_OF_SHAPE RECORD_HAS_TOOL

void packer_begin(struct packer *packer, struct packed *memory, uint32_t bytes)
{
	const struct pool_piece piece = memory->piece;

	*memory = (struct packed){.piece = piece, .bytes = bytes};
	packer->packed = memory;
	packer->at = memory->records;
	packer->notes = (void *)((uint8_t *)memory + bytes);
	packer->end_ns = packer->correlation = 0;
	packer->is_serial_due = true;
	memset(packer->shape_slots, 0, sizeof(packer->shape_slots));
	memset(packer->argument_slots, 0, sizeof(packer->argument_slots));
}

static bool has_room(const struct packer *packer, size_t bytes, size_t notes)
{
	return (size_t)((uint8_t *)packer->notes - packer->at) >=
	       bytes + notes * sizeof(struct packed_note);
}

static void add_note(struct packer *packer, struct packed_note added)
{
	*--packer->notes = added;
	packer->packed->note_count++;
}

static bool add_other(struct packer *packer, const struct record *record)
{
	if (!has_room(packer, 0, MOST_OTHER_NOTES))
		return false;
	add_note(packer, (struct packed_note){.kind = PACKED_OTHER});
	packer->notes -= PACKED_OTHER_NOTES;
	memcpy(packer->notes, record, sizeof(*record));
	packer->packed->note_count += PACKED_OTHER_NOTES;
	packer->is_serial_due = true;
	return true;
}

static inline unsigned slot_of(const void *site, uint32_t key)
{
	const uint64_t mixed = ((uintptr_t)site ^ (uint64_t)key << 40) * 0x9e3779b97f4a7c15;

	return (unsigned)(mixed >> 54);
}
_Static_assert(PACKER_SLOTS == 1 << (64 - 54), "a slot is the highest bits of a product");

static struct packer_shape *add_shape(struct packer *packer, const struct record *record,
				      uint32_t has, unsigned slot)
{
	struct packed *packed = packer->packed;
	struct packer_shape *shape = &packer->shapes[packed->shape_count];

	if (packed->shape_count == CALL_BLOCK_SHAPES_MOST)
		return NULL;
	packer->shape_slots[slot] = (uint16_t)++packed->shape_count;
	*shape = (struct packer_shape){
		.site = record->site, .has = has, .function = record->function};
	add_note(packer, (struct packed_note){.kind = PACKED_SHAPE,
					      .value = (uintptr_t)record->site,
					      .number = has,
					      .function = record->function});
	return shape;
}

/* Ends because each shape has at least four slots. */
static inline struct packer_shape *find_shape(struct packer *packer, const struct record *record)
{
	const uint32_t has = record->has & ~(uint32_t)NOT_OF_SHAPE;
	unsigned slot = slot_of(record->site, (uint32_t)record->function << 9 ^ has);

	for (; packer->shape_slots[slot]; slot = (slot + 1) % PACKER_SLOTS) {
		struct packer_shape *shape = &packer->shapes[packer->shape_slots[slot] - 1];

		if (shape->site == record->site && shape->function == record->function &&
		    shape->has == has)
			return shape;
	}
	return add_shape(packer, record, has, slot);
}

/* Returns 1 + the position in the list, or -1: the list is full. */
static int find_arguments(struct packer *packer, struct atom *arguments)
{
	struct packed *packed = packer->packed;
	unsigned slot = slot_of(arguments, 0);

	for (; packer->argument_slots[slot]; slot = (slot + 1) % PACKER_SLOTS)
		if (packer->arguments[packer->argument_slots[slot] - 1] == arguments)
			return packer->argument_slots[slot];
	if (packed->argument_count == CALL_BLOCK_ARGUMENTS_MOST)
		return -1;
	packer->arguments[packed->argument_count] = arguments;
	packer->argument_slots[slot] = (uint16_t)++packed->argument_count;
	add_note(packer,
		 (struct packed_note){.kind = PACKED_ARGUMENTS, .value = (uintptr_t)arguments});
	return (int)packed->argument_count;
}

/* A bit for each field that differs from the shape's last call. */
static inline unsigned changes_of(const struct packer_shape *shape, const struct record *record,
				  uint64_t arguments, uint64_t differences[CALL_BLOCK_FIELDS])
{
	unsigned changes = 0;

#define COMPARE(field, value)                                                                      \
	do {                                                                                       \
		differences[CALL_BLOCK_##field] =                                                  \
			(uint64_t)(value)-shape->values[CALL_BLOCK_##field];                       \
		changes |= (unsigned)(differences[CALL_BLOCK_##field] != 0) << CALL_BLOCK_##field; \
	} while (0)
#define COMPARE_OPTIONAL(bit, field, value)                                                        \
	do {                                                                                       \
		if (shape->has & RECORD_HAS_##bit)                                                 \
			COMPARE(field, value);                                                     \
	} while (0)
	COMPARE_OPTIONAL(STREAM, STREAM, record->stream);
	COMPARE_OPTIONAL(OBJECT, OBJECT, record->object);
	COMPARE_OPTIONAL(DST, DST, record->dst);
	COMPARE_OPTIONAL(SRC, SRC, record->src);
	COMPARE_OPTIONAL(SIZE, SIZE, record->size_bytes);
	COMPARE(ARGUMENTS, arguments);
	COMPARE(NUMBERS, record->numbers);
	COMPARE_OPTIONAL(COPY_KIND, COPY_KIND, record->copy_kind);
	COMPARE(RESULT, (int64_t)record->result);
	COMPARE(CONTEXT, record->context);
#undef COMPARE_OPTIONAL
#undef COMPARE
	return changes;
}

static void put_call(struct packer *packer, const struct record *record, struct packer_shape *shape,
		     uint64_t arguments)
{
	const uint64_t start_ns = (uint64_t)record->start_ns;
	const uint64_t took_ns =
		record->end_ns < record->start_ns ? 0 : (uint64_t)record->end_ns - start_ns;
	uint64_t differences[CALL_BLOCK_FIELDS];
	unsigned changes = changes_of(shape, record, arguments, differences);
	uint8_t *at = packer->at;

	at = block_put(at, (uint64_t)(shape - packer->shapes) << 1 | (changes != 0));
	at = block_put(at, block_fold(start_ns - packer->end_ns));
	at = block_put(at, took_ns);
	packer->end_ns = start_ns + took_ns;
	if (shape->has & RECORD_HAS_CORRELATION) {
		at = block_put(at, block_fold(record->correlation - packer->correlation));
		packer->correlation = record->correlation;
	}
	if (changes)
		at = block_put(at, changes);
	for (; changes; changes &= changes - 1) {
		const int field = __builtin_ctz(changes);

		at = block_put(at, block_fold(differences[field]));
		shape->values[field] += differences[field];
	}
	packer->at = at;
}

static void note_of_call(struct packer *packer, const struct record *record)
{
	struct packed *packed = packer->packed;

	if (record->has & RECORD_HAS_TOOL)
		add_note(packer,
			 (struct packed_note){.kind = PACKED_TOOL_COST,
					      .value = (uint64_t)record->tool_outside_ns << 32 |
						       record->tool_inside_ns,
					      .number = record->tool_entry_ns,
					      .function = record->function});
	if (packer->is_serial_due)
		add_note(packer, (struct packed_note){.kind = PACKED_SERIAL,
						      .value = record->serial,
						      .number = packed->calls});
	packer->is_serial_due = false;
	packed->backward += record_is_backward(record->start_ns, record->end_ns);
	packed->last_start_ns = record->start_ns;
	if (!(record->has & RECORD_HAS_CORRELATION) || !record->correlation)
		return;
	if (!packed->least_correlation || record->correlation < packed->least_correlation)
		packed->least_correlation = record->correlation;
	if (record->correlation > packed->most_correlation)
		packed->most_correlation = record->correlation;
}

bool packer_add(struct packer *packer, const struct record *record)
{
	struct packer_shape *shape;
	int arguments = 0;

	if (record->kind != RECORD_CALL)
		return add_other(packer, record);
	if (!has_room(packer, MOST_CALL_BYTES, MOST_CALL_NOTES))
		return false;
	shape = find_shape(packer, record);
	if (record->arguments)
		arguments = find_arguments(packer, record->arguments);
	if (!shape || arguments < 0)
		return false;
	note_of_call(packer, record);
	put_call(packer, record, shape, (uint64_t)arguments);
	packer->packed->calls++;
	return true;
}

void packer_end(struct packer *packer)
{
	packer->packed->record_bytes = (uint32_t)(packer->at - packer->packed->records);
}
