#include "commands/recording.h"

#include "base/memory.h"
#include "commands/options.h"
#include "commands/reach.h"
#include "commands/untraced.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A name that no other run has, on whichever machine. */
static void name_run(char *name, size_t size)
{
	char host[HOST_NAME_MAX + 1] = "localhost";
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	gethostname(host, sizeof(host) - 1);
	snprintf(name, size, "%s.%d.%lld%09ld", host, (int)getpid(), (long long)now.tv_sec,
		 now.tv_nsec);
}

/* mpirun and srun end the whole job when one rank fails, and a rank may have no GPU work. */
static bool is_of_job(void)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
					    "SLURM_PROCID"};

	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++)
		if (getenv(ranks[i]))
			return true;
	return false;
}

/* What runs program where it is a Python script: the interpreter asked for, else python3 where the system cannot
 * run it by itself. NULL: nothing need. */
static const char *find_interpreter(const char *program, const char *asked_for)
{
	const char *ending = strrchr(program, '.');

	if (!ending || strcmp(ending, ".py") != 0 || access(program, R_OK))
		return NULL;
	if (asked_for)
		return asked_for;
	return access(program, X_OK) || !strchr(program, '/') ? "python3" : NULL;
}

char **recording_words(const struct arguments *arguments)
{
	const char *interpreter =
		find_interpreter(arguments->operands[0], arguments->values[OPTION_PYTHON]);
	char **words = memory_array((size_t)arguments->operand_count + 2, sizeof(*words));

	words[0] = (char *)interpreter;
	memcpy(words + (interpreter != NULL), arguments->operands,
	       (size_t)arguments->operand_count * sizeof(*words));
	return words;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Starts the program, and returns its status; -1: it could not be started, with errno. */
static int start_and_wait(char **argv, const struct launch *launch, bool *is_asked)
{
	struct signals signals;
	struct signals_news news;
	const pid_t child = launch_start(argv, launch, &signals);
	int status;

	if (child < 0)
		return -1;
	status = launch_wait(child, launch, &signals, &news);
	*is_asked = news.is_asked;
	return status;
}

/* Fills in what is the same for each recording. *untraced: of this run. */
static struct launch complete_launch(const struct recording *recording, const struct reach *reach,
				     const char *libraries, struct untraced *untraced)
{
	struct launch launch = recording->launch;

	name_run(launch.run, sizeof(launch.run));
	launch.output = recording->output->name;
	untraced->steps = launch.steps ? launch.steps : getenv(variable_rows[VARIABLE_STEPS].name);
	untraced->step = launch.step ? launch.step : getenv(variable_rows[VARIABLE_STEP].name);
	launch.tell = untraced->shared.path;
	launch.libraries = reach->is_refused ? NULL : libraries;
	launch.is_for_asan = reach->needs_asan;
	return launch;
}

static int record_program(char **argv, const struct recording *recording, const char *libraries,
			  struct finishing *finishing)
{
	const struct reach reach = reach_find(argv[0]);
	struct untraced untraced = untraced_begin(reach.obstacle);
	struct launch launch = complete_launch(recording, &reach, libraries, &untraced);
	int64_t since_ns;
	int status;

	if (reach.obstacle)
		command_note("%s will run untraced: %s", argv[0], reach.obstacle);
	/* Files are stamped with the coarse clock. */
	clock_gettime(CLOCK_REALTIME_COARSE, &finishing->since);
	launch.since = finishing->since;
	finishing->run = launch.run;
	finishing->untraced = &untraced;
	since_ns = now_ns();
	status = start_and_wait(argv, &launch, &finishing->is_asked);
	finishing->took_ns = now_ns() - since_ns;
	if (status < 0) {
		status = command_fail(errno == ENOENT ? 127 : 126, "%s: %s", argv[0],
				      strerror(errno));
	} else {
		if (finishing->is_asked)
			finishing->measuring = measure_begin(true);
		finish_traces(recording->output->asked, argv[0], finishing);
		if (status == EXIT_FINE && !finishing->has_calls && !recording->watches &&
		    !is_of_job())
			status = EXIT_EMPTY;
	}
	finishing->run = NULL;
	finishing->untraced = NULL;
	untraced_end(&untraced);
	return status;
}

int recording_run(char **argv, const struct recording *recording, struct finishing *finishing)
{
	char *libraries =
		launch_find_libraries(recording->launch.first_use || recording->launch.races);
	int status = EXIT_UNREADABLE;

	if (libraries && recording->launch.libraries) {
		char *both = memory_format("%s:%s", recording->launch.libraries, libraries);

		free(libraries);
		libraries = both;
	}
	*finishing = (struct finishing){.measuring = measure_begin(!recording->measures),
					.watches = recording->watches,
					.reports = recording->reports,
					.is_temporary = recording->is_temporary};
	if (libraries)
		status = record_program(argv, recording, libraries, finishing);
	free(libraries);
	return status;
}
