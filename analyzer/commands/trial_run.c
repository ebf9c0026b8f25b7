#include "commands/trial_run.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/vector.h"
#include "commands/command.h"
#include "commands/shared_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A run hangs if it takes so many times as long as the longest untouched run, and no less than that. */
enum { HANG_TIMES = 10, HANG_LEAST_MS = 10000 };

struct running {
	const struct trial_program *program;
	struct trial *trial;
	struct trial_environment environment; /* of fixed runs */
	VECTOR(struct trial_time) times;
	struct trial_results results;
	int64_t longest_ns; /* of an untouched run */
	bool has_status;    /* trial->status is known */
};

/* A run that ended. */
struct ended_run {
	bool is_fixed; /* at all times, or in some of its turns */
	bool has_turns;
	int status;
	struct signals_news news;
	int64_t wall_ns;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Whether the user has yet to see the program's output. */
static bool is_shown_next(const struct running *running)
{
	return !running->program->has_run && !running->trial->runs;
}

/* A run with the fixes that takes longer hangs. longest_ns: of an untouched run. */
static int64_t limit_ms(int64_t longest_ns)
{
	return max_ns(HANG_LEAST_MS, HANG_TIMES * longest_ns / 1000000);
}

/* "PATH:INODE", malloc'ed. */
static char *page_name(const struct shared_page *page)
{
	return memory_format("%s:%llu", page->path, (unsigned long long)page->inode);
}

/* The input is read from where it was. */
static void rewind_input(const struct trial_program *program)
{
	if (program->input_at >= 0)
		lseek(STDIN_FILENO, program->input_at, SEEK_SET);
}

static struct launch make_launch(const struct running *running, const char *page, bool is_fixed)
{
	const struct trial_program *program = running->program;
	const bool is_shown = is_shown_next(running);

	return (struct launch){
		.libraries = program->library,
		.is_for_asan = program->needs_asan,
		.trial = page,
		.more = is_fixed ? running->environment.words : NULL,
		.output_to = is_shown ? program->output_to : LAUNCH_DISCARDED,
		.limit_ms = is_shown ? 0 : limit_ms(running->longest_ns),
	};
}

/* False: it could not be started, which was printed. */
static bool run_program(struct running *running, const struct shared_page *page,
			struct ended_run *run)
{
	char *name = page_name(page);
	const struct launch launch = make_launch(running, name, run->is_fixed);
	char **argv = running->program->argv;
	struct signals signals;
	int64_t since_ns;
	pid_t child;

	rewind_input(running->program);
	since_ns = now_ns();
	child = launch_start(argv, &launch, &signals);
	free(name);
	if (child < 0) {
		running->trial->status = command_fail(errno == ENOENT ? 127 : 126, "%s: %s",
						      argv[0], strerror(errno));
		return false;
	}
	run->status = launch_wait(child, &launch, &signals, &run->news);
	run->wall_ns = now_ns() - since_ns;
	running->trial->runs++;
	return true;
}

/* What the library counted. */
static void take_counts(struct trial *trial, const struct trial_page *page)
{
	if (!trial->counts)
		trial->counts = memory_array(trial->plan.places.count, sizeof(*trial->counts));
	for (size_t i = 0; i < trial->plan.places.count; i++)
		trial->counts[i] = (struct trial_count){
			.calls = atomic_load(&page->sites[i].calls),
			.applied = atomic_load(&page->sites[i].applied),
			.refusals = atomic_load(&page->sites[i].refusals),
		};
	if (atomic_load(&page->pinned_bytes) > trial->pinned_bytes)
		trial->pinned_bytes = atomic_load(&page->pinned_bytes);
	if (atomic_load(&page->device_bytes) > trial->device_bytes)
		trial->device_bytes = atomic_load(&page->device_bytes);
}

/* Too few of them are no measurement. */
static void take_turns(struct running *running, const struct trial_page *page)
{
	struct trial *trial = running->trial;
	struct trial_turns *turns = &trial->turns;
	const struct trial_time fixed = running->times.items[TRIAL_CHECK_RUNS - 1];
	const struct trial_time untouched = running->times.items[TRIAL_CHECK_RUNS - 2];
	size_t ended = atomic_load(&page->turn_count);

	if (ended > TRIAL_MOST_TURNS)
		ended = TRIAL_MOST_TURNS;
	if (ended < TRIAL_TURNS_LEAST)
		return;
	running->times.count = TRIAL_CHECK_RUNS;
	for (; turns->count < ended - ended % TRIAL_BLOCK; turns->count++)
		*vector_add(&running->times) = trial_turns_time(turns, page, &untouched, &fixed);
}

static void take_run(struct running *running, const struct trial_page *page,
		     const struct ended_run *run)
{
	const int64_t first_ns = atomic_load(&page->first_ns),
		      began_ns = atomic_load(&page->began_ns);
	const int64_t since_ns = began_ns ? began_ns : first_ns;
	const int64_t ns = atomic_load(&page->last_ns) - since_ns;
	const int64_t set_up_ns = atomic_load(&page->set_up_ns);

	*vector_add(&running->times) = (struct trial_time){
		.is_fixed = run->is_fixed,
		.ns = ns,
		.start_ns = since_ns - first_ns,
		.set_up_ns = run->is_fixed ? set_up_ns : 0,
		.late_set_up_ns =
			run->is_fixed ? min_ns(ns, set_up_ns - atomic_load(&page->start_set_up_ns))
				      : 0,
		.wall_ns = run->wall_ns,
	};
	if (!run->is_fixed)
		running->longest_ns = max_ns(running->longest_ns, run->wall_ns);
}

/* Why no other run should follow; TRIAL_COMPLETE: one should. */
static enum trial_end judge_run(struct running *running, const struct trial_page *page,
				const struct ended_run *run)
{
	struct trial *trial = running->trial;

	if (run->news.is_asked) {
		trial->status = run->status;
		return TRIAL_ASKED;
	}
	if (!running->has_status)
		trial->status = run->status;
	running->has_status = true;
	trial->ended_status = run->status;
	if (run->news.is_late)
		return run->is_fixed ? TRIAL_HUNG : TRIAL_UNSTEADY;
	if (run->status != trial->status)
		return run->is_fixed ? TRIAL_STATUS_DIFFERS : TRIAL_UNSTEADY;
	return atomic_load(&page->first_ns) ? TRIAL_COMPLETE : TRIAL_NOT_SEEN;
}

static enum trial_end run_with_page(struct running *running, const struct shared_page *shared,
				    struct ended_run *run)
{
	struct trial_page *page = shared->memory;
	enum trial_end end;

	if (!page ||
	    !trial_plan_fill(&running->trial->plan, run->is_fixed && !run->has_turns, page)) {
		command_fail(EXIT_UNREADABLE, page ? "the findings have more call sites than can "
						     "be tried at once: --apply fewer"
						   : "no memory to share with the program");
		return TRIAL_NOT_STARTED;
	}
	page->hashes_all = running->times.count < TRIAL_CHECK_RUNS;
	if (run->has_turns)
		trial_turns_fill(&running->trial->turns, page);
	if (!run_program(running, shared, run))
		return TRIAL_NOT_STARTED;
	end = judge_run(running, page, run);
	if (run->is_fixed && !run->has_turns)
		take_counts(running->trial, page);
	if (end != TRIAL_COMPLETE)
		return end;
	if (atomic_load(&page->processes) > running->trial->processes)
		running->trial->processes = atomic_load(&page->processes);
	trial_results_add(&running->results, page, run->is_fixed);
	if (run->has_turns)
		take_turns(running, page);
	else
		take_run(running, page, run);
	return end;
}

/* One run. */
static enum trial_end run_next(struct running *running, bool is_fixed, bool has_turns)
{
	struct shared_page shared = shared_page_make(sizeof(struct trial_page));
	struct ended_run run = {.is_fixed = is_fixed, .has_turns = has_turns};
	const enum trial_end end = run_with_page(running, &shared, &run);

	shared_page_free(&shared);
	return end;
}

void trial_run(const struct trial_program *program, struct trial *trial)
{
	struct running running = {
		.program = program,
		.trial = trial,
		.environment = trial_plan_environment(&trial->plan),
		.longest_ns = program->took_ns,
		.has_status = program->has_run,
	};
	const int64_t since_ns = now_ns();
	bool may_have_turns;

	trial->turns = trial_turns_choose(&trial->plan, trial->analysis->whole);
	may_have_turns = trial->turns.calls != 0;
	trial->end = TRIAL_COMPLETE;
	while (trial->end == TRIAL_COMPLETE) {
		const struct trial_times times = {running.times.items, running.times.count};
		const enum trial_next next =
			trial_next(&times, &trial->limits, now_ns() - since_ns);
		/* Behind one untouched run whose results are hashed like its own. */
		const bool has_turns = may_have_turns && times.count == TRIAL_CHECK_RUNS + 1 &&
				       trial->processes < 2;

		if (next == TRIAL_END || trial->turns.count || trial->runs >= trial->limits.runs)
			break;
		trial->end = run_next(&running, has_turns || next == TRIAL_RUN_FIXED, has_turns);
		may_have_turns = may_have_turns && !has_turns;
	}
	trial->figures =
		trial_figures_of(&(struct trial_times){running.times.items, running.times.count});
	trial->results = trial_results_compare(&running.results);
	trial_results_free(&running.results);
	vector_free(&running.times);
}

static int record_with_page(const struct trial_program *program, const struct trial *trial,
			    const struct destination *output, const struct shared_page *page)
{
	const struct trial_environment environment = trial_plan_environment(&trial->plan);
	char *name = page_name(page);
	const struct recording recording = {
		.output = output,
		.launch = {.libraries = program->library,
			   .trial = name,
			   .more = environment.words,
			   .output_to = LAUNCH_DISCARDED,
			   .limit_ms = limit_ms(program->took_ns)},
	};
	struct finishing finishing;
	int status;

	rewind_input(program);
	status = recording_run(program->argv, &recording, &finishing);
	finish_free(&finishing);
	free(name);
	return status;
}

int trial_record(const struct trial_program *program, const struct trial *trial,
		 const struct destination *output)
{
	struct shared_page shared = shared_page_make(sizeof(struct trial_page));
	int status = trial->status;

	if (!shared.memory || !trial_plan_fill(&trial->plan, true, shared.memory))
		command_note("no run with the fixes is recorded: no memory to share with it");
	else
		status = record_with_page(program, trial, output, &shared);
	shared_page_free(&shared);
	return status;
}
