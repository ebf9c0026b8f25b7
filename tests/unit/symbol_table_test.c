/* The names that a search through all symbols finds, of the test itself and of libraries that it runs on. */
#include "trace/symbol_table.h"

#include "cmocka_test.h"

#include <dlfcn.h>
#include <string.h>

enum { ADDRESSES = 1000 };

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void check_name(struct symbol_table *table, Dwfl_Module *module, GElf_Addr address)
{
	const char *name = symbol_table_name(table, module, address);
	const char *expected = dwfl_module_addrname(module, address);

	if (!name || !expected)
		assert_ptr_equal(name, expected);
	else
		assert_string_equal(name, expected);
}

static void check_file(const char *path)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module = dwfl_report_offline(dwfl, "", path, -1);
	struct symbol_table table = {0};
	Dwarf_Addr low, high;
	GElf_Addr start;
	GElf_Sym symbol;

	assert_non_null(module);
	dwfl_report_end(dwfl, NULL, NULL);
	dwfl_module_info(module, NULL, &low, &high, NULL, NULL, NULL, NULL);
	for (uint64_t i = 0; i <= ADDRESSES; i++)
		check_name(&table, module, low + (high - low) * i / ADDRESSES);
	/* Where symbols begin and end. */
	for (int i = 1; i < dwfl_module_getsymtab(module) && i < ADDRESSES; i++) {
		if (!dwfl_module_getsym_info(module, i, &symbol, &start, NULL, NULL, NULL))
			continue;
		check_name(&table, module, start);
		check_name(&table, module, start + symbol.st_size);
		check_name(&table, module, start + symbol.st_size - 1);
	}
	symbol_table_free(&table);
	dwfl_end(dwfl);
}

TEST(test_this_program)
{
	check_file("/proc/self/exe");
}

/* Without symbols of their own but for what they export. */
TEST(test_libraries)
{
	void *const of_libraries[] = {dlsym(RTLD_DEFAULT, "malloc"),
				      dlsym(RTLD_DEFAULT, "dwfl_begin")};
	Dl_info info;

	for (int i = 0; i < 2; i++)
		if (of_libraries[i] && dladdr(of_libraries[i], &info) && info.dli_fname[0] == '/')
			check_file(info.dli_fname);
}

RUN_TESTS(NULL, NULL)
