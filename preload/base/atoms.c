#include "base/atoms.h"

#include "base/hash.h"
#include "base/hot.h"
#include "base/losses.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS	    (ATOMS_LIMIT * 2) /* a power of two; half full at most */
#define PROBES	    256		      /* slots that a search tries */
#define CHUNK_BYTES ((size_t)1 << 20)
#define CHUNKS	    32
#define CHUNKS_LAST 1 /* of the CHUNKS, left to ATOM_ADD_LAST */

static _Atomic(struct atom *) slots[SLOTS];
static _Atomic uint32_t atom_count;
READ_MOSTLY _Atomic bool atoms_full;

/* Memory, handed out from the first byte on. */
static _Atomic(char *) chunks[CHUNKS];
static _Atomic size_t used_bytes;

static uint64_t hash_of(const struct atom_text *text)
{
	uint64_t hash =
		text->count | (uint64_t)text->kind << 16 | (uint64_t)text->frame_count << 24;

	for (size_t i = 0; i < text->count; i++) {
		uint64_t product = hash_word(text->words[i]);

		hash = (hash << 23 | hash >> 41) ^ product ^ product >> 32;
	}
	hash = hash_word(hash);
	return hash ^ hash >> 29;
}

static bool is_same(const struct atom *atom, const struct atom_text *text, uint64_t hash)
{
	if (atom->hash != hash || atom->count != text->count || atom->kind != text->kind ||
	    atom->frame_count != text->frame_count)
		return false;
	for (size_t i = 0; i < text->count; i++)
		if (atom->words[i] != text->words[i])
			return false;
	return true;
}

static char *chunk_map(size_t index)
{
	char *chunk = atomic_load_explicit(&chunks[index], memory_order_acquire), *mine;

	if (chunk)
		return chunk;
	/* Not mmap(): ThreadSanitizer would take it (like memcpy() below) as a write of this
	 * thread. */
	mine = (char *)syscall(SYS_mmap, NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mine == MAP_FAILED)
		return NULL;
	if (atomic_compare_exchange_strong(&chunks[index], &chunk, mine))
		return mine;
	munmap(mine, CHUNK_BYTES);
	return chunk;
}

/* NULL: no room below the limit, or no memory. */
static struct atom *allocate_atom(size_t bytes, size_t limit)
{
	size_t used = atomic_load(&used_bytes), start;
	char *chunk;

	do {
		start = used;
		/* An atom never crosses a chunk's end. */
		if (start % CHUNK_BYTES + bytes > CHUNK_BYTES)
			start += CHUNK_BYTES - start % CHUNK_BYTES;
		if (start + bytes > limit)
			return NULL;
		chunk = chunk_map(start / CHUNK_BYTES);
		if (!chunk)
			return NULL;
	} while (!atomic_compare_exchange_weak(&used_bytes, &used, start + bytes));
	return (struct atom *)(void *)(chunk + start % CHUNK_BYTES);
}

/* A new atom that is in no slot yet. Unused if another thread adds the same text first. */
static struct atom *create_atom(const struct atom_text *text, uint64_t hash, enum atom_add add)
{
	bool is_last = add == ATOM_ADD_LAST;
	size_t limit = CHUNK_BYTES * (is_last ? CHUNKS : CHUNKS - CHUNKS_LAST);
	uint32_t count_limit = is_last ? ATOMS_LIMIT : ATOMS_LIMIT - ATOMS_LAST;
	size_t text_bytes = text->count * sizeof(text->words[0]);
	int saved_errno = errno;
	struct atom *atom = NULL;

	if (add == ATOM_ADD_SPARE) {
		limit = CHUNK_BYTES * CHUNKS / 2;
		count_limit = ATOMS_LIMIT / 2;
	}
	if (atomic_load(&atom_count) < count_limit)
		atom = allocate_atom(sizeof(*atom) + text_bytes, limit);
	errno = saved_errno;
	if (!atom) {
		if (add != ATOM_ADD_SPARE)
			atomic_store(&atoms_full, true);
		return NULL;
	}
	atom->hash = hash;
	atom->count = text->count;
	atom->kind = text->kind;
	atom->frame_count = text->frame_count;
	/* Not memcpy(): in a program under ThreadSanitizer that is the sanitizer's. It does not see
	 * the exchange that publishes the atom, and would report a race. */
	for (size_t i = 0; i < text->count; i++)
		((volatile uintptr_t *)atom->words)[i] = text->words[i];
	return atom;
}

struct atom *atom_intern(const struct atom_text *text, enum atom_add add)
{
	uint64_t hash = hash_of(text);
	struct atom *mine = NULL;

	for (size_t i = 0; i < PROBES; i++) {
		_Atomic(struct atom *) *slot = &slots[(hash + i) % SLOTS];
		struct atom *found = atomic_load_explicit(slot, memory_order_acquire);

		if (!found && !mine && !(mine = create_atom(text, hash, add)))
			return NULL;
		if (!found && atomic_compare_exchange_strong(slot, &found, mine)) {
			atomic_fetch_add(&atom_count, 1);
			return mine;
		}
		if (is_same(found, text, hash))
			return found;
	}
	if (add != ATOM_ADD_SPARE)
		atomic_store(&atoms_full, true);
	return NULL;
}

struct atom *atom_intern_looked(const uint64_t *words, int count, int frame_count)
{
	struct atom *atom = atom_intern(&(struct atom_text){.words = words,
							    .count = (uint16_t)count,
							    .kind = ATOM_STACK,
							    .frame_count = (uint8_t)frame_count},
					ATOM_ADD_SPARE);

	if (!atom)
		losses_count(LOSS_LOOKED_STACK, 1);
	return atom;
}
