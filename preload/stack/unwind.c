#include "stack/unwind.h"

#include "base/fork_guard.h"
#include "base/hash.h"
#include "base/loaded.h"
#include "stack/eh_frame.h"
#include "stack/frame_size.h"
#include "stack/modules.h"
#include "stack/sites.h"
#include "stack/walk.h"

#include <link.h>
#include <string.h>

/* Instructions whose rules are kept, in 0.8 MB; a power of two. A training step of PyTorch has some
 * thousand return addresses. */
#define KEPT_ROWS 8192
#define ROW_SHIFT (64 - 13)

struct row {
	uint64_t word;	     /* of the frame, as sites_word(); 0: the row is empty */
	uint32_t set;	     /* bit i: rules.registers[i] is not UNWIND_SAME */
	int32_t frame_bytes; /* frame_size_at() */
	bool has_rules;
	struct unwind_rules rules;
};

static struct row rows[KEPT_ROWS];
static uint64_t seen_unloads; /* loaded_unloads() when the rows were last emptied */

/* A fork may have come while a row was written. */
static bool is_stale;

static int number_module(struct dl_phdr_info *info, size_t size, void *data)
{
	uint64_t *word = data;

	*word = sites_word(*word, 1);
	return 1;
}

/* The word of an address in a module. The loader's list is held only for a module that has no
 * number yet, so that it is not unloaded meanwhile. */
static uint64_t find_word(uint64_t address)
{
	const uint64_t number = modules_known(address - 1);
	uint64_t word = number << MODULE_ADDRESS_BITS | address;

	if (!number) {
		/* A child would be forked with the loader's list locked for good. */
		fork_guard_enter();
		dl_iterate_phdr(number_module, &word);
		fork_guard_leave();
	}
	return word;
}

/* The row of the instruction in front of `address`; valid until the next call. Only rows of modules
 * are kept: elsewhere one may be loaded later. */
static const struct row *find_row(uint64_t address)
{
	struct row *row = &rows[hash_word(address) >> ROW_SHIFT];
	bool is_module;

	if (MODULE_NUMBER(row->word) && MODULE_ADDRESS(row->word) == address)
		return row;
	*row = (struct row){0};
	row->has_rules = unwind_rules_find(address - 1, &row->rules, &is_module);
	row->frame_bytes = row->has_rules ? frame_size_at(address - 1, &row->rules) : 0;
	for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
		if (row->rules.registers[i].how != UNWIND_SAME)
			row->set |= 1u << i;
	row->word = is_module ? find_word(address) : address;
	return row;
}

static void forget_unloaded(void)
{
	const uint64_t unloads = loaded_unloads();

	if (unloads == seen_unloads && !is_stale)
		return;
	is_stale = false;
	seen_unloads = unloads;
	memset(rows, 0, sizeof(rows));
	eh_frame_forget();
}

struct walk {
	const struct unwind_start *start;
	uint64_t registers[UNWIND_REGISTERS + 1]; /* the last is the frame's UNWIND_CFA */
	uint32_t known;				  /* bits of registers */
};

/* False: the address is not in the copy of the stack. */
static bool load_word(const struct unwind_start *start, uint64_t address, uint64_t *word)
{
	const uint64_t offset = address - start->registers[UNWIND_RSP];

	if (offset >= start->bytes || start->bytes - offset < sizeof(*word))
		return false;
	memcpy(word, (const char *)start->memory + offset, sizeof(*word));
	return true;
}

/* False: it cannot be known. */
static bool find_cfa(struct walk *walk, const struct unwind_rules *rules)
{
	uint64_t cfa = walk->registers[rules->cfa_base] + (uint64_t)rules->cfa_offset;

	if (!(walk->known >> rules->cfa_base & 1) ||
	    (rules->cfa_is_loaded && !load_word(walk->start, cfa, &cfa)))
		return false;
	walk->registers[UNWIND_CFA] = cfa;
	walk->known |= 1u << UNWIND_CFA;
	return true;
}

/* Finds the frame pointer, which the kernel does not tell, from the size of the frame. */
static void find_frame_pointer(struct walk *walk, const struct row *row)
{
	const uint64_t cfa = walk->registers[UNWIND_RSP] + (uint64_t)row->frame_bytes;
	uint64_t back;

	if (!row->frame_bytes || walk->known >> UNWIND_RBP & 1 ||
	    !load_word(walk->start, cfa - sizeof(back), &back) || !frame_size_is_return(back))
		return;
	walk->registers[UNWIND_RBP] = cfa - (uint64_t)row->rules.cfa_offset;
	walk->known |= 1u << UNWIND_RBP;
}

/* Finds a register of the caller by a rule that is not UNWIND_SAME. False: it cannot be known. */
static bool find_register(const struct walk *walk, const struct unwind_rule *rule, unsigned number,
			  uint64_t *value)
{
	const uint64_t address = walk->registers[rule->base] + (uint64_t)rule->offset;

	if (rule->how == UNWIND_LOST || !(walk->known >> rule->base & 1))
		return false;
	*value = address;
	if (rule->how == UNWIND_VALUE || load_word(walk->start, address, value))
		return true;
	/* At the end of a function the rules still lead to the place that the register was popped
	 * from: it has the caller's value by then. */
	*value = walk->registers[number];
	return address < walk->registers[UNWIND_RSP] && walk->known >> number & 1;
}

/* Replaces the registers by those of the caller. False: the walk ends. */
static bool step_out(struct walk *walk, const struct row *row)
{
	enum { NEEDED = 1u << UNWIND_RSP | 1u << UNWIND_RIP };
	const uint64_t rsp = walk->registers[UNWIND_RSP];
	struct walk caller;

	find_frame_pointer(walk, row);
	/* Without a rule for it the pc would be the callee's. */
	if (!row->has_rules || (row->set & NEEDED) != NEEDED || !find_cfa(walk, &row->rules))
		return false;
	caller = *walk;
	for (uint32_t set = row->set; set; set &= set - 1) {
		const unsigned number = (unsigned)__builtin_ctz(set);
		const uint32_t bit = 1u << number;

		caller.known &= ~bit;
		if (find_register(walk, &row->rules.registers[number], number,
				  &caller.registers[number]))
			caller.known |= bit;
	}
	*walk = caller;
	return (walk->known & NEEDED) == NEEDED && walk->registers[UNWIND_RSP] > rsp;
}

int unwind_words(const struct unwind_start *start, uint64_t *words, int limit)
{
	struct walk walk = {.start = start, .known = start->known};
	const struct row *row;
	int count = 0;
	/* The address behind the instruction: a return address is one already. */
	uint64_t behind = 1, address;

	forget_unloaded();
	memcpy(walk.registers, start->registers, sizeof(start->registers));
	for (int depth = 0; depth < WALK_LIMIT && count < limit; depth++) {
		address = walk.registers[UNWIND_RIP] + behind;
		if (address <= 1 || address >> MODULE_ADDRESS_BITS)
			break;
		row = find_row(address);
		if (!walk_is_left_out(address - 1))
			words[count++] = row->word;
		behind = row->rules.is_signal;
		if (!step_out(&walk, row))
			break;
	}
	return count;
}

void unwind_after_fork(void)
{
	is_stale = true;
}
