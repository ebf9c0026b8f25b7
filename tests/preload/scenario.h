/* The scenarios of a traced program, one of which its only argument names. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scenario {
	const char *name;
	void (*run)(void);
};

/* The scenario that the command line names, for main() to run; the last row has no name. Where the
 * command line names none, says so and ends the program with status 2. */
static inline const struct scenario *scenario_find(const struct scenario *scenarios, int argc,
						   char **argv)
{
	for (; scenarios->name; scenarios++)
		if (argc == 2 && !strcmp(argv[1], scenarios->name))
			return scenarios;
	fprintf(stderr, "%s: no such scenario\n", program_invocation_short_name);
	exit(2);
}

#endif
