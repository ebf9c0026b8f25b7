/* Where the rate of pinned copies is from, and how wide its range is. Bytes a ns and ns. */
#include "model/rates.h"
#include "test_forms.h"

#include "cmocka_test.h"

#include <string.h>

#define MB 1000000

static struct trace_operation operations[8];
static struct trace_metadata_row metadata[2];
static struct trace_device devices[2];
static struct trace trace;

/* A copy of so many bytes to the device, from pinned memory, in so many ns. */
static void add_copy(uint64_t bytes, int64_t ns)
{
	operations[trace.operation_count++] = (struct trace_operation){
		.end_ns = ns,
		.form = operation_form((struct trace_operation_form){.kind = OPERATION_COPY,
								     .engine = ENGINE_H2D,
								     .src_kind = MEMORY_PINNED,
								     .dst_kind = MEMORY_DEVICE,
								     .size_bytes = bytes})};
}

static int set_up(void **state)
{
	trace = (struct trace){.operations = operations, .metadata = metadata, .devices = devices};
	return 0;
}

TEST_WITH(test_unknown, set_up, NULL)
{
	struct copy_rate rate = rates_of_pinned(&trace, ENGINE_H2D);

	assert_int_equal(rate.source, RATE_UNKNOWN);
	assert_int_equal(rates_pinned_ns(rate, MB, 700, RATE_LIKELY), 700);
	assert_int_equal(rates_pinned_ns(rate, MB, 700, RATE_SLOWEST), 700);
	assert_int_equal(rates_pinned_ns(rate, MB, 700, RATE_FASTEST), 0);
	assert_int_equal(rates_of_pinned(&trace, ENGINE_COMPUTE).source, RATE_UNKNOWN);
}

/* The middle one of five, and the range of the middle half: 40, 50 and 60 bytes a ns beyond the
 * latency of 1000 ns. */
TEST_WITH(test_own, set_up, NULL)
{
	static const int64_t durations_ns[] = {100000, 25000, 20000, 16667, 10000};
	struct copy_rate rate;

	add_copy(4096, 1000);
	for (size_t i = 0; i < 5; i++)
		add_copy(MB, 1000 + durations_ns[i]);
	rate = rates_of_pinned(&trace, ENGINE_H2D);
	assert_int_equal(rate.source, RATE_OWN);
	assert_int_equal(rate.latency_ns, 1000);
	assert_float_equal(rate.bytes_per_ns, 50, 1e-3);
	assert_float_equal(rate.slower, 0.2, 1e-3);
	assert_float_equal(rate.faster, 0.2, 1e-3);
	assert_int_equal(rates_pinned_ns(rate, 12 * MB, INT64_MAX, RATE_LIKELY), 241000);
	assert_int_equal(rates_pinned_ns(rate, 12 * MB, INT64_MAX, RATE_SLOWEST) / 100, 3010);
	assert_int_equal(rates_pinned_ns(rate, 12 * MB, INT64_MAX, RATE_FASTEST) / 100, 2010);
	assert_int_equal(rates_pinned_ns(rate, 12 * MB, 5000, RATE_SLOWEST), 5000);
	assert_int_equal(rates_of_pinned(&trace, ENGINE_D2H).source, RATE_UNKNOWN);
}

/* A single copy is as sure as it can be. */
TEST_WITH(test_one, set_up, NULL)
{
	struct copy_rate rate;

	add_copy(MB, 20000);
	rate = rates_of_pinned(&trace, ENGINE_H2D);
	assert_float_equal(rate.bytes_per_ns, 50, 1e-9);
	assert_true(rate.slower == 0 && rate.faster == 0);
}

/* Its own copies come before what was measured, and that before the link. */
TEST_WITH(test_sources, set_up, NULL)
{
	struct copy_rate rate;

	devices[0] = (struct trace_device){.link_bytes_per_s = 50000000000};
	devices[1] = (struct trace_device){.link_bytes_per_s = 25000000000};
	trace.device_count = 2;
	rate = rates_of_pinned(&trace, ENGINE_H2D);
	assert_int_equal(rate.source, RATE_OF_LINK);
	assert_float_equal(rate.bytes_per_ns, 20, 1e-9);
	assert_float_equal(rate.bytes_per_ns * (1 - rate.slower) / 25, 0.44, 1e-9);
	assert_float_equal(rate.bytes_per_ns * (1 + rate.faster) / 25, 0.92, 1e-9);
	assert_int_equal(rates_copy_ns(rate, MB, RATE_LIKELY), 52000);

	metadata[0] = (struct trace_metadata_row){"pinned_h2d_bytes_per_s", "4e10"};
	metadata[1] = (struct trace_metadata_row){"pinned_h2d_latency_ns", "1500"};
	trace.metadata_count = 2;
	rate = rates_of_pinned(&trace, ENGINE_H2D);
	assert_int_equal(rate.source, RATE_MEASURED);
	assert_int_equal(rates_copy_ns(rate, MB, RATE_LIKELY), 26500);
	assert_int_equal(rates_copy_ns(rate, 9 * MB, RATE_SLOWEST), 251500);
	assert_int_equal(rates_copy_ns(rate, 11 * MB, RATE_FASTEST), 251500);

	add_copy(MB, 20000);
	assert_int_equal(rates_of_pinned(&trace, ENGINE_H2D).source, RATE_OWN);
	assert_int_equal(rates_of_pinned(&trace, ENGINE_D2H).source, RATE_OF_LINK);
}

/* No copy takes so long that times overflow. */
TEST_WITH(test_slow, set_up, NULL)
{
	struct copy_rate rate = {.bytes_per_ns = 1e-6, .latency_ns = 5, .slower = 0.5};

	assert_int_equal(rates_copy_ns(rate, UINT64_MAX, RATE_SLOWEST), 1000000000000000005);
	assert_int_equal(rates_pinned_ns(rate, UINT64_MAX, 700, RATE_SLOWEST), 700);
}

/* Where the trace does not say it: by the model's name, of which no other's is a part. */
TEST_WITH(test_link_by_model, set_up, NULL)
{
	static const struct {
		const char *name;
		uint64_t bytes_per_s;
	} models[] = {{"NVIDIA H100 80GB HBM3", UINT64_C(63000000000)},
		      {"NVIDIA A100-SXM4-40GB", UINT64_C(31500000000)},
		      {"NVIDIA A10", UINT64_C(31500000000)},
		      {"Tesla V100-PCIE-16GB", UINT64_C(15750000000)},
		      {"NVIDIA A1000", 0},
		      {"GPU", 0},
		      {NULL, 0}};

	for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++) {
		devices[0] = (struct trace_device){.name = models[i].name};
		trace.device_count = 1;
		assert_int_equal(rates_link_bytes_per_s(&trace), models[i].bytes_per_s);
	}
	devices[0] = (struct trace_device){.name = "NVIDIA H100", .link_bytes_per_s = 25000000000};
	assert_int_equal(rates_link_bytes_per_s(&trace), 25000000000);
}

/* A link that no machine has is none. */
TEST_WITH(test_wrong_link, set_up, NULL)
{
	static const uint64_t wrong[] = {0, 1, UINT64_MAX};

	trace.device_count = 1;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		devices[0] = (struct trace_device){.link_bytes_per_s = wrong[i]};
		assert_int_equal(rates_of_pinned(&trace, ENGINE_H2D).source, RATE_UNKNOWN);
	}
}

RUN_TESTS(NULL, NULL)
