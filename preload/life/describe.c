#include "life/describe.h"

#include "base/clock.h"
#include "base/options.h"
#include "life/cpu_quota.h"
#include "life/job.h"
#include "recorder/windows.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Variables that the trace records: metadata key, variable, and the copied value. */
static struct {
	const char *key, *name, *value;
} variables[] = {
	{"cuda_visible_devices", "CUDA_VISIBLE_DEVICES", NULL},
	{"cuda_launch_blocking", "CUDA_LAUNCH_BLOCKING", NULL},
	{"cuda_device_max_connections", "CUDA_DEVICE_MAX_CONNECTIONS", NULL},
};
#define VARIABLE_COUNT (sizeof(variables) / sizeof(variables[0]))

void describe_take_environment(void)
{
	for (size_t i = 0; i < VARIABLE_COUNT; i++) {
		const char *value = getenv(variables[i].name);

		variables[i].value = value ? strdup(value) : NULL;
	}
	job_take_environment();
}

static void describe_command_line(struct store *store)
{
	char text[4096];
	FILE *file = fopen("/proc/self/cmdline", "re");
	size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	for (size_t i = 0; i + 1 < size; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	text[size] = '\0';
	store_metadata(store, "command_line", text);
}

/* The kernel module has the driver's version: "580.159.04". */
static void describe_driver(struct store *store)
{
	char text[64];
	FILE *file = fopen("/sys/module/nvidia/version", "re");

	if (!file)
		return;
	if (fgets(text, sizeof(text), file)) {
		text[strcspn(text, "\n")] = '\0';
		store_metadata(store, "driver_version", text);
	}
	fclose(file);
}

/* The processors that the process may use; not the writer's, since the program may have changed its
 * own after the writer began. */
static void describe_cpus(struct store *store)
{
	const int64_t quota = cpu_quota_ns_per_s("");
	cpu_set_t cpus;

	if (!sched_getaffinity(getpid(), sizeof(cpus), &cpus))
		store_metadata_int(store, "host_cpus", CPU_COUNT(&cpus));
	if (quota)
		store_metadata_int(store, "host_quota_ns_per_s", quota);
}

/* Processes with one boot id share one clock. */
static void describe_boot(struct store *store)
{
	char text[64];
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file)
		return;
	if (fgets(text, sizeof(text), file)) {
		text[strcspn(text, "\n")] = '\0';
		store_metadata(store, "boot_id", text);
	}
	fclose(file);
}

void describe_run(struct store *store)
{
	char text[PATH_MAX];

	store_metadata(store, "program", options_program());
	describe_command_line(store);
	if (getcwd(text, sizeof(text)))
		store_metadata(store, "working_directory", text);
	if (!gethostname(text, sizeof(text)))
		store_metadata(store, "host", text);
	describe_boot(store);
	store_metadata_int(store, "process_id", getpid());
	if (*options.run)
		store_metadata(store, "traced_by", options.run);
	if (options.rank)
		store_metadata(store, "rank", options.rank);
	job_describe(store);
	store_metadata(store, "streamtrace_version", STREAMTRACE_VERSION);
	store_metadata(store, "clock", "CLOCK_REALTIME");
	store_metadata(store, "events", options.events ? "all" : "wrappers");
	store_metadata(store, "event_waits", options.events ? "calls" : "cupti");
	describe_driver(store);
	describe_cpus(store);
	for (size_t i = 0; i < VARIABLE_COUNT; i++)
		if (variables[i].value)
			store_metadata(store, variables[i].key, variables[i].value);
	if (windows_follow_profiler())
		store_metadata(store, "start", "paused");
	if (*options.steps)
		store_metadata(store, "steps", options.steps);
	if (options.unknown[0])
		store_metadata(store, "unknown_options", options.unknown);
	store_metadata_int(store, "start_ns", clock_now_ns());
}
