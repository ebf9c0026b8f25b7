#include "base/symbols.h"

#include <string.h>

/* In a version's number: references without a version pass the symbol by. */
#define VERSION_IS_HIDDEN 0x8000

/* glibc has added the base to the addresses in dynamic sections, except for the vdso's. */
static const void *pointer_at(const struct symbols *symbols, uint64_t address)
{
	return (const void *)(address < symbols->base ? symbols->base + address : address);
}

bool symbols_read(struct symbols *symbols, uint64_t base, const ElfW(Dyn) * dynamic)
{
	*symbols = (struct symbols){.base = base, .dynamic = dynamic};
	for (const ElfW(Dyn) *entry = dynamic; entry && entry->d_tag != DT_NULL; entry++) {
		const void *address = pointer_at(symbols, entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB)
			symbols->table = address;
		else if (entry->d_tag == DT_STRTAB)
			symbols->strings = address;
		else if (entry->d_tag == DT_GNU_HASH)
			symbols->gnu_hash = address;
		else if (entry->d_tag == DT_HASH)
			symbols->hash = address;
		else if (entry->d_tag == DT_VERSYM)
			symbols->versions = address;
		else if (entry->d_tag == DT_VERDEF)
			symbols->definitions = address;
	}
	return symbols->table && symbols->strings && (symbols->gnu_hash || symbols->hash);
}

bool symbols_of(struct symbols *symbols, const struct dl_phdr_info *info)
{
	const ElfW(Dyn) *dynamic = NULL;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return symbols_read(symbols, info->dlpi_addr, dynamic);
}

static const void *pointer_behind(const void *address, size_t bytes)
{
	return (const char *)address + bytes;
}

unsigned symbols_version(const struct symbols *symbols, const char *name)
{
	const ElfW(Verdef) *definition = symbols->versions ? symbols->definitions : NULL;

	while (definition) {
		const ElfW(Verdaux) *own = pointer_behind(definition, definition->vd_aux);

		/* The library's own name is listed as a version, too, but no symbol has it. */
		if (!(definition->vd_flags & VER_FLG_BASE) &&
		    !strcmp(symbols->strings + own->vda_name, name))
			return definition->vd_ndx;
		definition = definition->vd_next ? pointer_behind(definition, definition->vd_next)
						 : NULL;
	}
	return SYMBOLS_NO_VERSION;
}

/* Whether symbol number `index` is a function or data with an address, this name and this
 * version. */
static bool is_meant(const struct symbols *symbols, uint32_t index, const char *name,
		     unsigned version)
{
	const ElfW(Sym) *symbol = &symbols->table[index];
	const int type = ELF64_ST_TYPE(symbol->st_info);
	unsigned of_symbol;

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_value ||
	    ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ||
	    (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) ||
	    strcmp(symbols->strings + symbol->st_name, name) != 0)
		return false;
	if (!symbols->versions)
		return version == SYMBOLS_NO_VERSION;
	of_symbol = symbols->versions[index];
	return version == SYMBOLS_NO_VERSION ? !(of_symbol & VERSION_IS_HIDDEN)
					     : (of_symbol & ~VERSION_IS_HIDDEN) == version;
}

static uint32_t gnu_hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* Returns a symbol's index, 0: none. The table: four words, a Bloom filter, each bucket's first
 * symbol, and each symbol's hash, whose lowest bit is set at the end of a bucket. */
static uint32_t find_by_gnu_hash(const struct symbols *symbols, const char *name, unsigned version)
{
	const uint32_t hash = gnu_hash_of(name), *words = symbols->gnu_hash;
	const uint32_t bucket_count = words[0], first = words[1], filter_count = words[2];
	const ElfW(Addr) *filter = (const void *)(words + 4);
	const uint32_t *buckets = (const void *)(filter + filter_count);
	const uint32_t *hashes = buckets + bucket_count;
	const unsigned bits = 8 * sizeof(*filter);
	const ElfW(Addr) word = filter[hash / bits % filter_count];
	uint32_t index;

	if (!(word >> hash % bits & word >> (hash >> words[3]) % bits & 1) || !bucket_count)
		return 0;
	index = buckets[hash % bucket_count];
	if (index < first)
		return 0;
	for (;; index++) {
		const uint32_t of_symbol = hashes[index - first];

		if ((of_symbol | 1) == (hash | 1) && is_meant(symbols, index, name, version))
			return index;
		if (of_symbol & 1)
			return 0;
	}
}

static uint32_t find_by_hash(const struct symbols *symbols, const char *name, unsigned version)
{
	const uint32_t *buckets = symbols->hash + 2, *next = buckets + symbols->hash[0];
	uint32_t hash = 0, index = 0;

	for (const char *c = name; *c; c++) {
		hash = (hash << 4) + (unsigned char)*c;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	if (symbols->hash[0])
		index = buckets[hash % symbols->hash[0]];
	while (index && !is_meant(symbols, index, name, version))
		index = next[index];
	return index;
}

static uint32_t find_index(const struct symbols *symbols, const char *name, unsigned version)
{
	return symbols->gnu_hash ? find_by_gnu_hash(symbols, name, version)
				 : find_by_hash(symbols, name, version);
}

uint64_t symbols_size(const struct symbols *symbols, const char *name, unsigned version)
{
	const uint32_t index = find_index(symbols, name, version);

	return index ? symbols->table[index].st_size : 0;
}

void *symbols_find(const struct symbols *symbols, const char *name, unsigned version)
{
	const uint32_t index = find_index(symbols, name, version);

	return index ? (void *)(symbols->base + symbols->table[index].st_value) : NULL;
}

static const char *text_of(const struct symbols *symbols, const ElfW(Dyn) * entry, int64_t tag)
{
	return entry->d_tag == tag ? symbols->strings + entry->d_un.d_val : NULL;
}

const char *symbols_needed(const struct symbols *symbols, const char *after)
{
	for (const ElfW(Dyn) *entry = symbols->dynamic; entry->d_tag != DT_NULL; entry++) {
		const char *name = text_of(symbols, entry, DT_NEEDED);

		if (name && !after)
			return name;
		if (name == after)
			after = NULL;
	}
	return NULL;
}

const char *symbols_own_name(const struct symbols *symbols)
{
	const char *name = NULL;

	for (const ElfW(Dyn) *entry = symbols->dynamic; !name && entry->d_tag != DT_NULL; entry++)
		name = text_of(symbols, entry, DT_SONAME);
	return name;
}
