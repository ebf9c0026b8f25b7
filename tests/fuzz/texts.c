/* Allow lists, baselines and names. */
#include "targets.h"

#include "checks.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "gate/allowed.h"
#include "gate/gate_change.h"
#include "gate/gate_diff.h"
#include "gate/saved_runs.h"
#include "model/kernel_parameters.h"
#include "trace/demangle.h"
#include "trace/name_parts.h"
#include "trace/short_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_run_allowed(const uint8_t *bytes, size_t size)
{
	char *error = NULL, *text = memory_array(size + 1, 1);
	struct allowed *allowed;
	size_t index = 0;

	memcpy(text, bytes, size);
	allowed = allowed_read("list", text, &error);
	if (!allowed) {
		fuzz_require(error && *error, "no error", "");
		free(error);
		free(text);
		return;
	}
	(void)allowed_reason(allowed, "pageable-copy", "/app/src/load.cu", "load_batch(int)");
	(void)allowed_reason(allowed, "sync-in-loop", text, "f");
	(void)allowed_reason(allowed, "sync-in-loop", NULL, text);
	for (const struct allowed_entry *entry; (entry = allowed_unused(allowed, &index));) {
		fuzz_check_text(entry->place, strlen(entry->place), "a place");
		fuzz_check_text(entry->reason, strlen(entry->reason), "a reason");
	}
	allowed_free(allowed);
	free(text);
}

/* What was read can be compared, and written: what is written can be read, and is the same once more. */
static void check_saved(const struct saved_runs *saved)
{
	const struct gate_run *const pair[] = {saved->runs[0], saved->runs[saved->count - 1]};
	const char *const paths[] = {pair[0]->path, pair[1]->path};
	struct gate gate = {.command = "diff", .paths = paths, .base_count = 1, .path_count = 2};
	const struct gate_rules rules = {.deny = "all", .max_lost = -1};
	struct saved_runs again;
	char *written = NULL, *error = NULL;
	size_t size;
	FILE *stream = open_memstream(&written, &size);

	fuzz_require(
		saved_runs_write(stream, (const struct gate_run *const *)saved->runs, saved->count),
		"not written", "");
	fclose(stream);
	fuzz_require(saved_runs_read(&again, "again", written, size, &error), "not read again",
		     error ? error : "");
	saved_runs_free(&again);
	free(written);
	gate_diff(&gate, &rules, pair);
	gate_change_recall(&gate, pair[0]);
	for (size_t i = 0; i < gate.rows.count; i++)
		fuzz_check_text(gate.rows.items[i].message, strlen(gate.rows.items[i].message),
				"a message");
	gate_free(&gate);
}

void fuzz_run_baseline(const uint8_t *bytes, size_t size)
{
	struct saved_runs saved;
	char *error = NULL;
	bool ok = saved_runs_read(&saved, "main", (const char *)bytes, size, &error);

	fuzz_require(ok == !error, "an error, or none", "");
	if (error)
		fuzz_check_text(error, strlen(error), "an error");
	if (ok)
		check_saved(&saved);
	free(error);
	saved_runs_free(&saved);
}

/* What an input stands for: bytes as they are, but 1 N M repeats the last N of them M times, so that few bytes nest
 * deeply. */
static char *make_name(const uint8_t *bytes, size_t size)
{
	const size_t longest = size && bytes[0] & 16 ? 20000 : 400;
	char *name = memory_array(longest + 1, 1);
	size_t used = 0;

	if (size && bytes[0] % 2)
		used = (size_t)sprintf(name, "_Z");
	for (size_t i = 1; i < size && used < longest; i++) {
		size_t length, times;

		if (bytes[i] != 1 || i + 2 >= size) {
			name[used++] = (char)(bytes[i] ? bytes[i] : '_');
			continue;
		}
		length = bytes[i + 1] < used ? bytes[i + 1] : used;
		times = bytes[i + 2];
		for (; length && times && used + length <= longest; times--) {
			memcpy(name + used, name + used - length, length);
			used += length;
		}
		i += 2;
	}
	name[used] = '\0';
	return name;
}

void fuzz_run_names(const uint8_t *bytes, size_t size)
{
	char *name = make_name(bytes, size), *plain;
	struct short_name shortened;
	struct parts parts;

	for (int with_parameters = 0; with_parameters < 2; with_parameters++) {
		plain = demangle(name, with_parameters);
		fuzz_require(!plain || *plain, "an empty name", name);
		free(plain);
	}
	fuzz_require(strlen(short_name(&shortened, name, SHORT_NAME_KERNEL)) <= SHORT_NAME_LENGTH,
		     "long", name);
	fuzz_require(strlen(short_name(&shortened, name, SHORT_NAME_FUNCTION)) <= SHORT_NAME_LENGTH,
		     "long", name);
	name_read((struct slice){name, name + strlen(name)}, &parts);
	(void)kernel_parameters_read(name);
	free(name);
}

void fuzz_set_up_texts(void)
{
	parallel_limit(1);
}
