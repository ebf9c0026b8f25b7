/* What a kernel is known to reach, by its launch's arguments and its name. */
#include "cmocka_test.h"
#include "facts/format.h"
#include "model/accesses.h"
#include "test_forms.h"

enum { BUFFER = 0x10000, BUFFER_END = 0x11000, UNKNOWN = 0x900000, MOST_ARGUMENTS = 2 };

/* A launch; its kernel is called once memory [BUFFER, BUFFER_END) was allocated. */
struct launch {
	const char *name;
	uint32_t numbers; /* 0: the arguments were not read */
	struct trace_argument arguments[MOST_ARGUMENTS];
	bool is_old, has_variable; /* of the trace: before format 2.4; a __device__ variable */
};

static struct access first;
static struct model_seen seen;

/* Whether all that the kernel reaches is known. *pieces: how many it reaches. */
static bool is_known(struct launch launch, size_t *pieces)
{
	struct trace_function function = {"cudaLaunchKernel", CLASS_LAUNCH};
	struct trace_arguments arguments = {launch.arguments, 0};
	struct trace_allocation allocations[] = {{.address = BUFFER, .size_bytes = 0x1000},
						 {.address = 0x20000, .size_bytes = 4}};
	struct trace trace = {.allocations = allocations,
			      .allocation_count = 2,
			      .schema_version = launch.is_old ? FORMAT_ALL_POINTERS - 1
							      : FORMAT_ALL_POINTERS};
	struct trace_call call = {0};
	struct trace_operation operation = {.call = &call};
	struct accesses *accesses;
	bool known;

	while (arguments.count < MOST_ARGUMENTS && launch.arguments[arguments.count].address)
		arguments.count++;
	allocations[1].is_static = launch.has_variable;
	call.form = call_form(
		(struct trace_call_form){.function = &function,
					 .numbers = launch.numbers,
					 .arguments = arguments.count ? &arguments : NULL});
	operation.form = operation_form(
		(struct trace_operation_form){.kind = OPERATION_KERNEL, .name = launch.name});
	accesses = accesses_create(&trace);
	while (accesses_next_allocation(accesses, 1))
		;
	accesses_find(accesses, &operation);
	known = accesses->reads_seen && accesses->writes_seen;
	*pieces = accesses->all.count;
	first = *pieces ? accesses->all.items[0] : (struct access){0};
	seen = accesses->seen;
	accesses_free(accesses);
	return known;
}

static void check_nothing(struct launch launch, bool known)
{
	size_t pieces;

	assert_int_equal(is_known(launch, &pieces), known);
	assert_int_equal(pieces, 0);
	assert_int_equal(seen.unseen_kernels, !known);
}

TEST(test_null_reaches_nothing)
{
	check_nothing((struct launch){.name = "_Z6kernelPfi", .numbers = 17}, true);
	check_nothing((struct launch){.name = "_Z6kernelIfEvPT_S0_", .numbers = 17}, true);
	/* Not read; another pointer than one near known memory was not recorded. */
	check_nothing((struct launch){.name = "_Z6kernelPfi", .numbers = 0}, false);
	check_nothing((struct launch){.name = "_Z6kernelPfi", .numbers = 17, .is_old = true},
		      false);
}

TEST(test_numbers_reach_nothing)
{
	check_nothing((struct launch){.name = "_Z6kerneldi", .numbers = 17}, true);
	check_nothing((struct launch){.name = "_Z6kerneldi", .numbers = 17, .is_old = true}, true);
	check_nothing((struct launch){.name = "_Z6kerneldi", .numbers = 0}, false);
	check_nothing((struct launch){.name = "_Z5dummyv", .numbers = 0}, true);
}

TEST(test_what_may_reach_more)
{
	check_nothing((struct launch){.name = "_Z6kernel4viewi", .numbers = 17},
		      false); /* a struct */
	check_nothing((struct launch){.name = "_Z6kernelI4viewEvT_i", .numbers = 17}, false);
	check_nothing((struct launch){.name = "_Z6kernelyi", .numbers = 17}, false); /* a texture */
	check_nothing((struct launch){.name = "_Z6kernelPFvvEi", .numbers = 17},
		      false); /* a function */
	check_nothing((struct launch){.name = "_Z6kernelIJifEEvDpT_", .numbers = 17},
		      false);							/* a pack */
	check_nothing((struct launch){.name = "kernel", .numbers = 17}, false); /* not mangled */
	check_nothing((struct launch){.name = "_Z5dummyv", .numbers = 0, .has_variable = true},
		      false);
	check_nothing((struct launch){.name = "_Z6kernelPfi", .numbers = 17, .has_variable = true},
		      false);
}

TEST(test_a_pointer_into_a_buffer)
{
	size_t pieces;

	assert_true(is_known((struct launch){.name = "_Z6kernelPKfi",
					     .numbers = 17,
					     .arguments = {{.address = BUFFER + 64}}},
			     &pieces));
	assert_int_equal(pieces, 1);
	assert_int_equal(first.start, BUFFER + 64);
	assert_int_equal(first.end, BUFFER_END);
	assert_false(first.is_written);
	assert_int_equal(seen.unknown_arguments, 0);
	/* A struct's pointer is seen, too. */
	assert_true(is_known((struct launch){.name = "_Z6kernel4view",
					     .numbers = 17,
					     .arguments = {{.address = BUFFER, .offset_bytes = 8}}},
			     &pieces));
}

TEST(test_a_pointer_into_unknown_memory)
{
	const struct launch launch = {
		.name = "_Z6kernelPfm", .numbers = 17, .arguments = {{.address = UNKNOWN}}};
	struct launch other = launch;
	size_t pieces;

	assert_true(is_known(launch, &pieces));
	assert_int_equal(pieces, 1);
	assert_int_equal(first.start, UNKNOWN);
	assert_int_equal(first.end, UNKNOWN + 1);
	assert_true(first.is_written);
	assert_int_equal(seen.unknown_arguments, 1);
	other.arguments[0].parameter = 1; /* size_t: a number */
	check_nothing(other, true);
	other.is_old = true;
	check_nothing(other, false);
	other = launch;
	other.name = "_Z6kernelPPfm"; /* pointers in unknown memory */
	assert_false(is_known(other, &pieces));
}

RUN_TESTS(NULL, NULL)
