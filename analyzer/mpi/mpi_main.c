/*
 * streamtrace-mpi: the report of a job, like `streamtrace report`, made by the processes of an MPI program.
 * Each makes summaries of its share of the traces; process 0 prints.
 */
#include "base/parallel.h"
#include "commands/collect.h"
#include "commands/command.h"
#include "commands/job_reporting.h"
#include "commands/targets.h"
#include "mpi/tree.h"
#include "render/output_formats.h"

#include <commit.h> /* made by the build */
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* " text json". */
static const char job_formats[] = ""
#define FORMAT(name, meaning, of_report, of_job, ...) of_job(" " #name)
#include "render/output_formats.def"
#undef FORMAT
	;

static const char usage[] =
	"Usage: mpirun -n N streamtrace-mpi [OPTION]... TRACE|SUMMARY|FOLDER...\n"
	"The report of a job, as streamtrace report prints it, made by the processes of an\n"
	"MPI program: each reads its share of the traces.\n"
	"\n"
	"  -o, --output=FILE    write the report to FILE instead of standard output\n"
	"      --format=FORMAT  one of%s (default: text)\n"
	"      --all            every process, and findings below 0.5 %% of the job, too\n"
	"      --exact          replay all of runs that are long, too\n"
	"  -h, --help           show this help\n"
	"  -V, --version        show the version\n";

struct asked {
	struct job_reporting reporting; /* print: NULL, where the format is none of a job */
	const char *output;
	bool is_help, is_version, is_wrong;
};

static struct asked read_options(int argc, char **argv)
{
	static const struct option options[] = {{"output", required_argument, NULL, 'o'},
						{"format", required_argument, NULL, 'f'},
						{"all", no_argument, NULL, 'a'},
						{"exact", no_argument, NULL, 'e'},
						{"help", no_argument, NULL, 'h'},
						{"version", no_argument, NULL, 'V'},
						{0}};
	struct asked asked = {.reporting.print = print_job_text};
	const struct output_format *format;
	int option;

	opterr = 0; /* refused by one process, in words of ours */
	while ((option = getopt_long(argc, argv, "o:hV", options, NULL)) != -1) {
		switch (option) {
		case 'o':
			asked.output = optarg;
			break;
		case 'f':
			format = output_format_find(optarg);
			asked.reporting.print = format ? format->job : NULL;
			break;
		case 'a':
			asked.reporting.all = true;
			break;
		case 'e':
			asked.reporting.is_exact = true;
			break;
		case 'h':
			asked.is_help = true;
			break;
		case 'V':
			asked.is_version = true;
			break;
		default:
			asked.is_wrong = true;
		}
	}
	return asked;
}

static int refuse_use(const char *what)
{
	return command_fail(EXIT_USAGE, "%s: see streamtrace-mpi --help", what);
}

/* Of process 0, before others wait for files. EXIT_FINE, or why there is nothing to do. */
static int check_asked(const struct asked *asked, int operand_count)
{
	if (asked->is_wrong)
		return refuse_use("a wrong option");
	if (!asked->reporting.print)
		return command_fail(EXIT_USAGE, "--format is one of%s: see streamtrace-mpi --help",
				    job_formats);
	if (!operand_count)
		return refuse_use("streamtrace-mpi needs traces or a folder of them");
	return EXIT_FINE;
}

/* Standard output by way of memory: mpirun gives a process a terminal, which is not the user's. */
static int print_job(const struct asked *asked, struct job *job, struct target *target)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	int status = EXIT_UNREADABLE;
	bool is_made = false;

	if (memory)
		status = job_reporting_print(&asked->reporting, memory, job, &is_made);
	if (!memory || fclose(memory))
		status = command_fail(EXIT_UNREADABLE, "out of memory");
	else
		fwrite(text, 1, size, target->out);
	free(text);
	return target_close(target, is_made, status);
}

/* All do; only process 0 has files, and prints. */
static int report_job(const struct asked *asked, struct job_files *files, struct target *target)
{
	const struct collect_options options = {.is_exact = asked->reporting.is_exact};
	struct tree_files own = tree_spread(files->paths, files->count);
	size_t beside = (size_t)tree_processes_beside(), processors = parallel_workers();
	struct job *job;

	/* Each has its share of the processors. */
	parallel_limit(processors > beside ? processors / beside : 1);
	job = collect_job(&options, (const char *const *)own.paths, own.count);
	tree_files_free(&own);
	job = tree_merge(job);
	if (!job)
		return EXIT_FINE;
	job = job_merge(files->left_out, job);
	files->left_out = NULL;
	return print_job(asked, job, target);
}

/* As all processes end. */
static int finish_all(int status)
{
	bool is_failed = ferror(stdout) || fflush(stdout);

	MPI_Finalize();
	return is_failed ? command_fail(EXIT_UNREADABLE, "standard output: %s", strerror(errno))
			 : status;
}

/* And opens what the report goes to. */
static int find_files(const struct asked *asked, struct job_files *files, char *const *operands,
		      int count, struct target *target)
{
	int status;

	if (!job_files_find(files, operands, (size_t)count))
		return command_fail(EXIT_UNREADABLE, "a folder cannot be read");
	if (!files->count && !files->left_out->unread_count)
		return command_fail(EXIT_UNREADABLE, "there are no traces");
	status = targets_check(&asked->output, 1, (const char *const *)files->paths, files->count);
	return status == EXIT_FINE ? target_open(target, asked->output) : status;
}

static int report_together(const struct asked *asked, char *const *operands, int count)
{
	struct job_files files = {0};
	struct target target = {.out = stdout}; /* process 0 opens it */
	int rank, status = EXIT_FINE;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		status = check_asked(asked, count);
	if (rank == 0 && status == EXIT_FINE)
		status = find_files(asked, &files, operands, count, &target);
	MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (status == EXIT_FINE)
		status = report_job(asked, &files, &target);
	job_files_free(&files);
	return status;
}

int main(int argc, char **argv)
{
	struct asked asked;

	setlocale(LC_CTYPE, "");
	MPI_Init(&argc, &argv);
	asked = read_options(argc, argv);
	if (asked.is_help || asked.is_version) {
		if (asked.is_help)
			printf(usage, job_formats);
		else
			puts("streamtrace-mpi " STREAMTRACE_VERSION STREAMTRACE_COMMIT);
		return finish_all(EXIT_FINE);
	}
	return finish_all(report_together(&asked, argv + optind, argc - optind));
}
