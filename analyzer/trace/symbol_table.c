#include "trace/symbol_table.h"

#include "base/search.h"
#include "base/sort.h"

#include <stdlib.h>

struct symbol_span {
	GElf_Addr start, end; /* the same: it has no size */
	GElf_Addr reach;      /* the last end of those up to this one */
	int symbol;
};

/* What dwfl_module_addrname() would take, if its address fits. */
static bool read_symbol(Dwfl_Module *module, int index, GElf_Sym *symbol, GElf_Addr *start)
{
	const char *name = dwfl_module_getsym_info(module, index, symbol, start, NULL, NULL, NULL);
	const int type = GELF_ST_TYPE(symbol->st_info);

	return name && name[0] && symbol->st_shndx != SHN_UNDEF && type != STT_SECTION &&
	       type != STT_FILE && type != STT_TLS;
}

static void add_span(struct symbol_spans *spans, const struct symbol_span *span)
{
	spans->items =
		memory_grow(spans->items, spans->count, &spans->capacity, sizeof(*spans->items));
	spans->items[spans->count++] = *span;
}

/* The symbols [first, end). */
static void add_symbols(struct symbol_table *table, struct symbol_spans *sized, Dwfl_Module *module,
			int first, int end)
{
	struct symbol_span span;
	GElf_Sym symbol;

	for (int i = first; i < end; i++) {
		if (!read_symbol(module, i, &symbol, &span.start))
			continue;
		span.symbol = i;
		if (__builtin_add_overflow(span.start, symbol.st_size, &span.end))
			span.end = UINT64_MAX;
		add_span(symbol.st_size ? sized : &table->sizeless, &span);
	}
}

static void sort_spans(struct symbol_spans *spans)
{
	struct sort_key *keys = memory_array(spans->count, sizeof(*keys));
	GElf_Addr reach = 0;

	for (size_t i = 0; i < spans->count; i++)
		keys[i] = (struct sort_key){spans->items[i].start, (uint32_t)i};
	sort_by_key_once(keys, spans->count);
	sort_elements(spans->items, sizeof(*spans->items), keys, spans->count);
	free(keys);
	for (size_t i = 0; i < spans->count; i++) {
		reach = spans->items[i].end > reach ? spans->items[i].end : reach;
		spans->items[i].reach = reach;
	}
}

static void make_table(struct symbol_table *table, Dwfl_Module *module)
{
	const int count = dwfl_module_getsymtab(module);
	const int first_global = dwfl_module_getsymtab_first_global(module);
	const int split = first_global > 0 ? first_global : 1;

	table->is_made = true;
	if (count < 0 || first_global < 0)
		return;
	add_symbols(table, &table->globals, module, split, count);
	add_symbols(table, &table->locals, module, 1, split);
	sort_spans(&table->globals);
	sort_spans(&table->locals);
	sort_spans(&table->sizeless);
}

/* How many begin at the address or before it. */
static size_t count_until(const struct symbol_spans *spans, GElf_Addr address)
{
	return search(spans->count, i, spans->items[i].start <= address);
}

/* Where the last one of them ends; 0: there is none. */
static GElf_Addr reach_until(const struct symbol_spans *spans, GElf_Addr address)
{
	const size_t until = count_until(spans, address);

	return until ? spans->items[until - 1].reach : 0;
}

/* How many hold the address, 2 for more, and one of them. */
static int find_spans(const struct symbol_spans *spans, GElf_Addr address, int *symbol)
{
	int found = 0;

	for (size_t i = count_until(spans, address);
	     i > 0 && spans->items[i - 1].reach > address && found < 2; i--) {
		if (spans->items[i - 1].end <= address)
			continue;
		*symbol = spans->items[i - 1].symbol;
		found++;
	}
	return found;
}

/* The index of the only symbol that contains the address; -1: none does; -2: not decidable here,
 * because dwfl_module_addrname() weighs the kinds of several. A symbol without a size counts only
 * beyond the ends of all others before the address; a local one only if no global one does, and
 * none without a size is at the address. */
static int find_symbol(const struct symbol_table *table, GElf_Addr address)
{
	const size_t sizeless = count_until(&table->sizeless, address);
	const GElf_Addr label = sizeless ? table->sizeless.items[sizeless - 1].start : 0;
	int symbol = -1, found = find_spans(&table->globals, address, &symbol);

	if (!found && sizeless && label == address)
		return -2;
	if (!found)
		found = find_spans(&table->locals, address, &symbol);
	if (found)
		return found == 1 ? symbol : -2;
	return !sizeless || label < reach_until(&table->globals, address) ||
			       label < reach_until(&table->locals, address)
		       ? -1
		       : -2;
}

const char *symbol_table_name(struct symbol_table *table, Dwfl_Module *module, GElf_Addr address)
{
	GElf_Addr start;
	GElf_Sym symbol;
	int found;

	if (!table->is_made)
		make_table(table, module);
	found = find_symbol(table, address);
	if (found == -2)
		return dwfl_module_addrname(module, address);
	return found < 0
		       ? NULL
		       : dwfl_module_getsym_info(module, found, &symbol, &start, NULL, NULL, NULL);
}

void symbol_table_free(struct symbol_table *table)
{
	free(table->globals.items);
	free(table->locals.items);
	free(table->sizeless.items);
	*table = (struct symbol_table){0};
}
