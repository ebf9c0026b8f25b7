/* Which lines share a cause (findings/causes.h), and which copies of a line a finding has. An instance's span stands for its cause here: the kind is that of
 * the detector's. */
#include "cmocka_test.h"
#include "findings/causes.h"
#include "findings/finding.h"

#include <stdlib.h>

static enum cause_kind kind;

static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct span *span = &instance->span;

	if (kind == CAUSE_HOST_MEMORY)
		return cause_of_host_memory((uint64_t)span->start_ns, (uint64_t)span->end_ns);
	return cause_of_pair(kind, (uint32_t)span->start_ns, (uint32_t)span->end_ns);
}

static const struct detector detector = {.cause = cause_of}, without = {.id = "without"};

/* Of a line, by its number: an address and a size, or two ids. */
struct use {
	uint32_t line;
	int64_t a, b;
};

/* With a line's number: the line before it is of the same place. */
#define SECOND 0x100
#define LINE   0xff

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void check(const struct detector *by, const struct use *uses, size_t count,
		  const uint32_t *expected, uint32_t line_count)
{
	struct instance instances[8] = {0};
	struct caused caused[8];
	uint32_t *groups;

	assert_true(count <= COUNT(caused));
	for (size_t i = 0; i < count; i++) {
		instances[i].span = (struct span){uses[i].a, uses[i].b};
		caused[i] =
			(struct caused){&instances[i], uses[i].line & LINE,
					(uses[i].line & LINE) - (uses[i].line & SECOND ? 1 : 0)};
	}
	groups = causes_group(NULL, by, caused, count, line_count);
	for (uint32_t i = 0; i < line_count; i++)
		assert_int_equal(groups[i], expected[i]);
	free(groups);
}

#define CHECK(uses, ...)                                                                           \
	do {                                                                                       \
		static const uint32_t expected[] = {__VA_ARGS__};                                  \
		check(&detector, uses, COUNT(uses), expected, COUNT(expected));                    \
	} while (0)

TEST(test_overlap)
{
	static const struct use uses[] = {{0, 100, 50}, {1, 300, 10}, {2, 149, 10}, {3, 305, 1}};

	kind = CAUSE_HOST_MEMORY;
	CHECK(uses, 0, 1, 0, 1);
}

/* Arrays side by side are different ones, unless a line goes from one to the next. */
TEST(test_touching)
{
	static const struct use apart[] = {{0, 100, 50}, {1, 150, 50}};
	static const struct use pieces[] = {{0, 100, 50}, {0, 150, 50}, {1, 160, 10}};

	kind = CAUSE_HOST_MEMORY;
	CHECK(apart, 0, 1);
	CHECK(pieces, 0, 0);
}

/* The last piece of a buffer is a small copy of the same place: the buffer's, as the others. Another buffer's that
 * only touches it is so, too, but not one that lies apart. */
TEST(test_touching_of_one_place)
{
	static const struct use last[] = {{0, 100, 50}, {0, 150, 50}, {SECOND | 1, 200, 10}};
	static const struct use apart[] = {{0, 100, 50}, {0, 150, 50}, {SECOND | 1, 201, 10}};
	static const struct use most[] = {
		{0, 100, 50}, {SECOND | 1, 150, 10}, {SECOND | 1, 300, 10}, {SECOND | 1, 500, 10}};

	kind = CAUSE_HOST_MEMORY;
	CHECK(last, 0, 0);
	CHECK(apart, 0, 1);
	CHECK(most, 0, 1);
}

/* Half of a line's instances are not most of them. */
TEST(test_half)
{
	static const struct use half[] = {{0, 100, 50}, {0, 300, 50}, {1, 100, 50}};
	static const struct use most[] = {{0, 100, 50}, {0, 100, 50}, {0, 300, 50}, {1, 100, 50}};
	static const struct use unknown[] = {{0, 100, 50}, {0, 0, 50}, {1, 100, 50}};

	kind = CAUSE_HOST_MEMORY;
	CHECK(half, 0, 1);
	CHECK(most, 0, 0);
	CHECK(unknown, 0, 1);
}

TEST(test_last_address)
{
	static const struct use uses[] = {{0, -16, 100}, {1, -8, INT64_MAX}, {2, 0, 100}};

	kind = CAUSE_HOST_MEMORY;
	CHECK(uses, 0, 0, 1);
}

TEST(test_pairs)
{
	static const struct use uses[] = {{0, 1, 7}, {1, 1, 8}, {2, 1, 7}, {3, 2, 7}, {4, 1, 8}};
	static const struct use last[] = {{0, -1, -1}, {1, -1, -2}};

	kind = CAUSE_STREAM;
	CHECK(uses, 0, 1, 0, 2, 1);
	CHECK(last, 0, 1);
}

/* A detector that names none; and no instances. */
TEST(test_none)
{
	static const struct use uses[] = {{0, 1, 7}, {1, 1, 7}};
	static const uint32_t expected[] = {0, 1};

	kind = CAUSE_STREAM;
	check(&without, uses, COUNT(uses), expected, COUNT(expected));
	check(&detector, uses, 0, expected, 0);
}

/* Whether a finding with these copies of a line has what a later pass finds there for a copy of so many bytes. */
static bool takes_copy(enum copy_sizes copies, uint64_t bytes)
{
	const struct trace_operation_form form = {.size_bytes = bytes};
	struct trace_operation operation = {.form = &form};
	const struct trace_call call = {.operation = &operation};
	struct instance instance = {.site_call = &call};
	struct finding_site site = {.site = {.file = "copy.cu", .line = 10}, .copies = copies};
	const struct finding finding = {.detector = &detector, .sites = &site, .site_count = 1};
	const struct finding later = {.detector = &detector,
				      .site = site.site,
				      .instances = &instance,
				      .instance_count = 1};

	return finding_has_line(&finding, &later);
}

TEST(test_copies_of_a_line)
{
	assert_true(takes_copy(COPIES_ALL, 65536));
	assert_true(takes_copy(COPIES_ALL, 65537));
	assert_true(takes_copy(COPIES_SMALL, 65536));
	assert_false(takes_copy(COPIES_SMALL, 65537));
	assert_false(takes_copy(COPIES_LARGE, 65536));
	assert_true(takes_copy(COPIES_LARGE, 65537));
}

RUN_TESTS(NULL, NULL)
