#include "cmocka_test.h"
#include "base/format.h"

TEST(test_time)
{
	static const struct {
		int64_t ns;
		const char *text;
	} cases[] = {
		{0, "0 ns"},
		{7, "7 ns"},
		{999, "999 ns"},
		{1000, "1.00 us"},
		{1004, "1.00 us"},
		{12345, "12.3 us"},
		{9994, "9.99 us"},
		{9995, "10.0 us"},
		{99949, "99.9 us"},
		{99950, "100 us"},
		{999499, "999 us"},
		{999500, "1.00 ms"},
		{1500000000, "1.50 s"},
		{123456789012345, "123457 s"},
		{-2500000, "-2.50 ms"},
	};
	struct format format;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(format_time(&format, cases[i].ns), cases[i].text);
	assert_string_equal(format_time(&format, INT64_MIN), "-9223372037 s");
}

/* As many digits as short distances need, and never fewer than without one. */
TEST(test_time_apart)
{
	struct format format;

	assert_string_equal(format_time_apart(&format, 846012345, 12000), "846.012 ms");
	assert_string_equal(format_time_apart(&format, 846012345, 20000000), "846 ms");
	assert_string_equal(format_time_apart(&format, 1500, 100), "1.50 us");
	assert_string_equal(format_time_apart(&format, 1500, 0), "1.500 us");
	assert_string_equal(format_time_apart(&format, 0, 5), "0 ns");
	assert_string_equal(format_time_apart(&format, 12345678901, 100), "12.34567890 s");
}

TEST(test_bytes)
{
	struct format format;

	assert_string_equal(format_bytes(&format, 999), "999 B");
	assert_string_equal(format_bytes(&format, 1234567), "1.23 MB");
	assert_string_equal(format_bytes(&format, UINT64_MAX), "18446744 TB");
}

TEST(test_percent)
{
	struct format format;

	assert_string_equal(format_percent(&format, 1, 8), "12.5 %");
	assert_string_equal(format_percent(&format, 0, 8), "0.0 %");
	assert_string_equal(format_percent(&format, 1, 0), "-");
}

TEST(test_count)
{
	struct format format;

	assert_string_equal(format_count(&format, 0), "0");
	assert_string_equal(format_count(&format, 999), "999");
	assert_string_equal(format_count(&format, 1000), "1,000");
	assert_string_equal(format_count(&format, 12345678), "12,345,678");
	assert_string_equal(format_count(&format, UINT64_MAX), "18,446,744,073,709,551,615");
}

RUN_TESTS(NULL, NULL)
