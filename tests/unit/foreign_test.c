/* The page on other tools and foreign.def: the page says all that a report says, and something of each finding. */
#include "base/memory.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "findings/detector_table.h"

#include <stdlib.h>
#include <string.h>

TEST(test_page_has_each_row)
{
	static const struct {
		const char *what, *says;
	} rows[] = {
#define FOREIGN(what, key, calls, says) {what, says},
#include "findings/foreign.def"
#undef FOREIGN
	};
	char *page = read_file(OTHER_TOOLS_PAGE, NULL);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *row = memory_format("| %s | %s |\n", rows[i].what, rows[i].says);

		if (!strstr(page, row))
			fail_msg("%s lacks: %s", OTHER_TOOLS_PAGE, row);
		free(row);
	}
	free(page);
}

/* In the first column of the table. */
TEST(test_page_has_each_finding_once)
{
	char *page = read_file(OTHER_TOOLS_PAGE, NULL), *rest, *line;
	char *table = strstr(page, "| finding | from their tables |\n");
	int counts[100] = {0};

	assert_non_null(table);
	*strstr(table, "\n\n") = '\0';
	rest = table;
	while ((line = strsep(&rest, "\n"))) {
		char *column = strtok(line, "|"), *ids = column, *id;

		while ((id = strsep(&ids, ", ")))
			for (size_t i = 0; detectors[i]; i++)
				counts[i] += !strcmp(detectors[i]->id, id);
	}
	for (size_t i = 0; detectors[i]; i++)
		if (counts[i] != 1)
			fail_msg("%s has %s %d times", OTHER_TOOLS_PAGE, detectors[i]->id,
				 counts[i]);
	free(page);
}

RUN_TESTS(NULL, NULL)
