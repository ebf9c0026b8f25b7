/* What a kernel's mangled name says of its parameters. */
#include "cmocka_test.h"
#include "model/kernel_parameters.h"

#include <stdlib.h>
#include <string.h>

static void check(const char *mangled, uint64_t is_const, bool has_table)
{
	struct kernel_parameters found = kernel_parameters_read(mangled);

	assert_int_equal(found.is_const, is_const);
	assert_int_equal(found.has_table, has_table);
}

TEST(test_pointers)
{
	check("_Z4copyPKfPf", 1, false);    /* copy(float const*, float*) */
	check("_Z3addPfPKfS1_i", 6, false); /* add(float*, float const*, float const*, int) */
	check("_Z4workPVKfPVf", 1, false);  /* volatile says nothing */
	check("_ZN3app4workEiPK4pairPS0_", 2, false);
}

TEST(test_templates)
{
	check("_Z3addIfEvPT_PKS0_", 2, false);	     /* void add<float>(float*, float const*) */
	check("_Z3runIPKfEvT_Pf", 1, false);	     /* void run<float const*>(T, float*) */
	check("_ZN3app3runIiPKfEEvT_T0_", 2, false); /* void app::run<int, float const*>(T, U) */
	check("_Z3runIPfEvPT_", 0, true);	     /* void run<float*>(T*) */
	check("_Z4packIJPKfPfEEvPKfDpT_", 1, false); /* void pack<...>(float const*, T...) */
}

TEST(test_tables)
{
	check("_Z6gatherPPKfPf", 0, true);
	check("_Z6gatherPKPfPKf", 2, true);
}

TEST(test_others)
{
	check("triton_kernel", 0, false);
	check("_Z4idlev", 0, false);
	check("_Z4view4pairRKf", 0, false);
	check("_Z", 0, false);
}

TEST(test_plain)
{
	static const struct {
		const char *mangled;
		uint64_t is_pointer;
		int count;
		bool is_plain;
	} cases[] = {
		{"_Z4workPfPKfid", 3, 4, true},
		{"_Z4workPf4pair", 1, 2, false},
		{"_Z4workIfEvPT_S0_m", 1, 3, true},
		{"_Z4workI4pairEvPT_S1_", 1, 2, false},
		{"_Z4workyPv", 2, 2, false}, /* unsigned long long: may be a texture */
		{"_Z4workmPv", 2, 2, true},
		{"_Z4workPFvvE", 0, 1, false},
		{"_Z4workIJiPfEEviDpT_", 0, 1, false},
		{"_Z4idlev", 0, 0, true},
		{"idle", 0, 0, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kernel_parameters found = kernel_parameters_read(cases[i].mangled);

		assert_int_equal(found.is_pointer, cases[i].is_pointer);
		assert_int_equal(found.count, cases[i].count);
		assert_int_equal(found.is_plain, cases[i].is_plain);
	}
}

TEST(test_floating_point)
{
	static const struct {
		const char *mangled;
		bool has_float, has_double;
	} cases[] = {
		{"_Z4workPfPdi", false, false},	 {"_Z4workPfKf", true, false},
		{"_Z4workPfid", false, true},	 {"_Z4workIfdEvPT_S0_T0_", true, true},
		{"_Z4workm4pair", false, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kernel_parameters found = kernel_parameters_read(cases[i].mangled);

		assert_int_equal(found.has_float, cases[i].has_float);
		assert_int_equal(found.has_double, cases[i].has_double);
	}
}

/* A name as long as a file may hold: libiberty's parser alone would need 30 MB of stack. */
TEST(test_a_name_that_is_too_deep)
{
	enum { LENGTH = 300000 };
	char *name = malloc(LENGTH + 8);

	assert_non_null(name);
	strcpy(name, "_Z1f");
	memset(name + 4, 'P', LENGTH);
	strcpy(name + LENGTH + 4, "i");
	check(name, 0, false);
	free(name);
}

RUN_TESTS(NULL, NULL)
