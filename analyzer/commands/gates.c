#include "commands/gates.h"

#include "base/progress.h"
#include "commands/filters.h"
#include "commands/measure.h"
#include "commands/tool_numbers.h"
#include "gate/allowed.h"
#include "gate/ids.h"
#include "render/output_formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "5%", "5 %" or "5": percent. */
static bool read_percent(const char *text, double *share)
{
	char *end;
	double percent = strtod(text, &end);

	end += strspn(end, " ");
	if (*end == '%')
		end++;
	*share = percent / 100;
	return end != text && !*end && percent >= 0 && percent <= 100;
}

static int read_rules(struct asking *asking)
{
	const struct arguments *arguments = asking->arguments;
	struct gate_rules *rules = &asking->rules;
	const char *limit = arguments->values[OPTION_MAX_LOST];
	const char *list = arguments->values[OPTION_ALLOW];
	const char *least = arguments->values[OPTION_GATE_MIN];
	char *error = NULL, *unknown;
	int status;

	rules->max_lost = -1;
	if (limit && !read_percent(limit, &rules->max_lost))
		return command_fail(EXIT_USAGE, "--max-lost=%s: a percentage is expected, as 5%%",
				    limit);
	if (!filters_read_least(least, &rules->least_ns, &rules->least_share))
		return command_fail(EXIT_USAGE,
				    "--min=%s: the value must be a time (10ms) or a share (2%%)",
				    least);
	rules->deny = arguments->values[OPTION_DENY];
	if (!rules->deny && !limit)
		rules->deny = "all";
	unknown = ids_unknown(rules->deny);
	if (unknown) {
		status = command_fail(EXIT_USAGE, "--deny: no finding has the id '%s'", unknown);
		free(unknown);
		return status;
	}
	if (list)
		rules->allowed = allowed_load(list, &error);
	if (error) {
		status = command_fail(EXIT_UNREADABLE, "%s: %s", list, error);
		free(error);
		return status;
	}
	return EXIT_FINE;
}

static void read_root(struct asking *asking)
{
	const char *root = asking->arguments->values[OPTION_ROOT];

	if (!root && !strcmp(asking->gate.command, "baseline"))
		asking->root = baseline_files_repository();
	if (!asking->root)
		asking->root = root ? strdup(root) : getcwd(NULL, 0);
	asking->rules.root = asking->root;
	asking->rules.needs_times = asking->arguments->is_given[OPTION_TIMES];
}

static void free_replayed(struct replayed *replayed)
{
	if (!replayed->trace)
		return;
	analysis_free(replayed->analysis);
	trace_close(replayed->trace);
	*replayed = (struct replayed){0};
}

/* trace NULL: the reason was printed. */
static struct replayed replay_trace(const char *path, struct measuring *measuring)
{
	struct replayed replayed = {.trace = command_load(path)};

	if (!replayed.trace)
		return replayed;
	progress_step("measuring this machine");
	measure_apply(measuring, replayed.trace, NULL);
	tool_numbers_apply(replayed.trace, measuring->left_ms > 0, NULL);
	progress_step("replaying the run");
	replayed.analysis = analysis_run(replayed.trace);
	return replayed;
}

/* All are read: one that is unreadable is said for each. Keeps the last one that was read. */
static int read_runs(struct asking *asking, const struct operands *operands, size_t first)
{
	bool is_still = asking->arguments->is_given[OPTION_NO_MEASURE];
	struct measuring measuring = measure_begin(is_still);
	int status = EXIT_FINE;

	for (size_t i = first; i < first + operands->count; i++) {
		free_replayed(&asking->kept);
		asking->kept = replay_trace(operands->paths[i - first], &measuring);
		if (!asking->kept.trace) {
			status = EXIT_UNREADABLE;
			continue;
		}
		asking->kept.run = i;
		asking->runs[i] =
			gate_run_collect(asking->kept.trace, asking->kept.analysis, &asking->rules);
		progress_end();
		asking->paths[i] = asking->runs[i]->path;
	}
	measure_free(&measuring);
	return status;
}

const struct analysis *gates_analysis(struct asking *asking, size_t run)
{
	struct measuring measuring;

	if (asking->kept.trace && asking->kept.run == run)
		return asking->kept.analysis;
	free_replayed(&asking->kept);
	measuring = measure_begin(asking->arguments->is_given[OPTION_NO_MEASURE]);
	asking->kept = replay_trace(asking->paths[run], &measuring);
	asking->kept.run = run;
	progress_end();
	measure_free(&measuring);
	return asking->kept.trace ? asking->kept.analysis : NULL;
}

/* Of the list of what is allowed and of the baseline, too. */
static int check_targets(const struct asking *asking, const struct operands *base,
			 const struct operands *traces)
{
	const char *const *values = asking->arguments->values;
	const char *const outputs[] = {values[OPTION_SARIF], values[OPTION_JUNIT]};
	const char **inputs = memory_array(base->count + traces->count + 2, sizeof(*inputs));
	char *baseline = NULL;
	size_t count = 0;
	int status;

	for (size_t i = 0; i < base->count; i++)
		inputs[count++] = base->paths[i];
	for (size_t i = 0; i < traces->count; i++)
		inputs[count++] = traces->paths[i];
	if (values[OPTION_ALLOW])
		inputs[count++] = values[OPTION_ALLOW];
	if (values[OPTION_AGAINST])
		inputs[count++] = baseline = baseline_files_path(values[OPTION_AGAINST]);
	status = targets_check(outputs, 2, inputs, count);
	free(baseline);
	free(inputs);
	return status;
}

/* EXIT_FINE, or why one of them cannot be written, which was printed. */
static int open_targets(struct asking *asking)
{
	const char *const *values = asking->arguments->values;
	int status = EXIT_FINE;

	if (values[OPTION_SARIF])
		status = target_open(&asking->sarif, values[OPTION_SARIF]);
	if (values[OPTION_JUNIT] && status == EXIT_FINE)
		status = target_open(&asking->junit, values[OPTION_JUNIT]);
	return status;
}

int gates_begin(struct asking *asking, const struct arguments *arguments, const char *command,
		const struct operands *base, const struct operands *traces)
{
	const char *against = arguments->values[OPTION_AGAINST];
	int status;

	*asking = (struct asking){.arguments = arguments};
	asking->gate.command = command;
	if (against) {
		status = baseline_files_read(&asking->saved, against);
		if (status != EXIT_FINE)
			return status;
	}
	asking->gate.base_count = base->count + asking->saved.count;
	asking->gate.path_count = asking->gate.base_count + traces->count;
	asking->runs = memory_array(asking->gate.path_count, sizeof(*asking->runs));
	asking->paths = memory_array(asking->gate.path_count, sizeof(*asking->paths));
	asking->gate.paths = asking->paths;
	status = check_targets(asking, base, traces);
	if (status == EXIT_FINE)
		status = read_rules(asking);
	if (status == EXIT_FINE)
		status = open_targets(asking);
	if (status != EXIT_FINE)
		return status;
	read_root(asking);
	for (size_t i = 0; i < asking->saved.count; i++) {
		asking->runs[i] = asking->saved.runs[i];
		asking->paths[i] = asking->runs[i]->path;
	}
	asking->saved.count = 0; /* taken over */
	status = read_runs(asking, traces, asking->gate.base_count);
	if (read_runs(asking, base, 0) != EXIT_FINE)
		status = EXIT_UNREADABLE;
	return status;
}

/* Prints the gate into the target, if the option was given. Returns the exit status. */
static int write_target(struct target *target, gate_printer print, const struct gate *gate,
			int status)
{
	if (!target->path)
		return status;
	if (print(target->out, gate))
		return target_close(target, true, status);
	return target_close(target, false, command_fail(EXIT_UNREADABLE, "out of memory"));
}

int gates_end(struct asking *asking)
{
	static const int statuses[] = {EXIT_FINE, EXIT_FAILED, EXIT_UNDECIDED};
	const char *const *values = asking->arguments->values;
	int status = statuses[asking->gate.status];

	if (!output_format_find(values[OPTION_GATE_FORMAT])->gate(stdout, &asking->gate))
		status = command_fail(EXIT_UNREADABLE, "out of memory");
	status = write_target(&asking->sarif, gate_print_sarif, &asking->gate, status);
	return write_target(&asking->junit, gate_print_junit, &asking->gate, status);
}

void gates_free(struct asking *asking)
{
	target_close(&asking->sarif, false, EXIT_FINE);
	target_close(&asking->junit, false, EXIT_FINE);
	free_replayed(&asking->kept);
	for (size_t i = 0; i < asking->gate.path_count; i++)
		if (asking->runs[i])
			gate_run_free(asking->runs[i]);
	gate_free(&asking->gate);
	if (asking->rules.allowed)
		allowed_free(asking->rules.allowed);
	saved_runs_free(&asking->saved);
	free(asking->runs);
	free(asking->paths);
	free(asking->root);
}
