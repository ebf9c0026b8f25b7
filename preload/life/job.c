#include "life/job.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	char ranks[32], local_rank[32], run[256]; /* empty: unknown */
} job;

/* NULL also if it is empty. */
static const char *job_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* Copies the first variable that is set. torchrun's names come first for its workers only: in other
 * processes they can belong to whatever started torchrun. */
static void take_first(char *copy, size_t size, const char *torchrun_s, const char *const *others)
{
	const char *value = job_variable("TORCHELASTIC_RUN_ID") ? job_variable(torchrun_s) : NULL;

	for (; !value && *others; others++)
		value = job_variable(*others);
	if (!value)
		value = job_variable(torchrun_s);
	snprintf(copy, size, "%s", value ? value : "");
}

/* Appends the port: torchrun's id is "none" unless one was given. A restart of the workers is
 * another run. */
static void name_torchrun_s(const char *id)
{
	const char *address = job_variable("MASTER_ADDR"), *port = job_variable("MASTER_PORT");
	const char *restart = job_variable("TORCHELASTIC_RESTART_COUNT");
	const bool is_restart = restart && strcmp(restart, "0") != 0;

	snprintf(job.run, sizeof(job.run), "torchelastic:%s@%s:%s%s%s", id, address ? address : "",
		 port ? port : "", is_restart ? "#" : "", is_restart ? restart : "");
}

static void take_run(void)
{
	const char *id, *step;

	job.run[0] = '\0';
	if ((id = job_variable("TORCHELASTIC_RUN_ID"))) {
		name_torchrun_s(id);
	} else if ((id = job_variable("PMIX_NAMESPACE"))) {
		snprintf(job.run, sizeof(job.run), "pmix:%s", id);
	} else if ((id = job_variable("OMPI_MCA_ess_base_jobid"))) {
		snprintf(job.run, sizeof(job.run), "ompi:%s", id);
	} else if ((id = job_variable("SLURM_JOB_ID")) && (step = job_variable("SLURM_STEP_ID"))) {
		snprintf(job.run, sizeof(job.run), "slurm:%s.%s", id, step);
	} else if ((id = job_variable("MASTER_ADDR")) && (step = job_variable("MASTER_PORT"))) {
		snprintf(job.run, sizeof(job.run), "master:%s:%s", id, step);
	}
}

void job_take_environment(void)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
					    "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", NULL};
	static const char *const local[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
					    "SLURM_LOCALID", NULL};

	take_first(job.ranks, sizeof(job.ranks), "WORLD_SIZE", ranks);
	take_first(job.local_rank, sizeof(job.local_rank), "LOCAL_RANK", local);
	take_run();
}

void job_describe(struct store *store)
{
	const struct {
		const char *key, *value;
	} rows[] = {{"ranks", job.ranks}, {"local_rank", job.local_rank}, {"run", job.run}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value[0])
			store_metadata(store, rows[i].key, rows[i].value);
}
