#include "ptx/kernel_search.h"

#include "base/parallel.h"
#include "ptx/module_texts.h"
#include "ptx/ptx_flow.h"

#include <stdlib.h>
#include <string.h>

/* Texts that are read side by side; their results are kept until all are read. */
#define BATCH 64

/* All texts of a search, unpacked: they are read at some 1 GB a second and processor. With more, nothing is known. */
#define TEXT_BYTES_MOST (UINT64_C(4) << 30)

/* A kernel in a text. */
struct found {
	size_t name; /* index in the search's names */
	struct kernel_uses uses;
	bool is_known;
};

struct text_job {
	struct fatbin_entry entry;
	bool is_unread;
	VECTOR(struct found) found;
};

struct searching {
	const struct kernel_search *search;
	struct map names; /* from ptx_hash(0, name) to index */
	struct kernel_answer *answers;
	bool *are_found, *are_failed; /* by name */
	uint64_t text_bytes;	      /* so far */
	bool is_partial; /* a text was not read: any kernel may have another version there */
	struct text_job jobs[BATCH];
	size_t job_count;
};

static struct ptx_token token_of(const char *name)
{
	return (struct ptx_token){name, strlen(name), PTX_WORD};
}

/* The names in the text that are searched for. */
static void find_names(const struct searching *searching, struct text_job *job, const char *text,
		       size_t size)
{
	static const char directive[] = ".entry";
	struct ptx_tokens tokens = {text, text + size};

	while ((tokens.at = memmem(tokens.at, (size_t)(tokens.end - tokens.at), directive,
				   strlen(directive)))) {
		struct ptx_token name;
		size_t index;

		tokens.at += strlen(directive);
		name = ptx_next(&tokens);
		index = name.kind == PTX_WORD ? map_find(&searching->names, ptx_hash(0, name))
					      : MAP_NONE;
		if (index != MAP_NONE)
			*vector_add(&job->found) = (struct found){.name = index};
	}
}

static void read_text(void *context, size_t index)
{
	struct searching *searching = context;
	struct text_job *job = &searching->jobs[index];
	struct ptx_index functions;
	size_t size;
	char *text = fatbin_unpack(&job->entry, &size);

	job->is_unread = !text;
	if (!text)
		return;
	find_names(searching, job, text, size);
	if (job->found.count && ptx_index_read(&functions, text, size)) {
		for (size_t i = 0; i < job->found.count; i++) {
			struct found *found = &job->found.items[i];
			const struct ptx_function *kernel = ptx_index_function(
				&functions, token_of(searching->search->names[found->name]));

			found->is_known = kernel && kernel->is_kernel &&
					  ptx_flow_find(&functions, kernel, &found->uses);
		}
	}
	if (job->found.count)
		ptx_index_free(&functions);
	free(text);
}

static void take_found(struct searching *searching, struct found *found)
{
	struct kernel_answer *answer = &searching->answers[found->name];

	searching->are_found[found->name] = true;
	searching->are_failed[found->name] |= !found->is_known;
	kernel_uses_join(&answer->uses, &found->uses);
	kernel_uses_free(&found->uses);
}

static void run_jobs(struct searching *searching)
{
	parallel_run(searching->job_count, read_text, searching);
	for (size_t i = 0; i < searching->job_count; i++) {
		struct text_job *job = &searching->jobs[i];

		searching->is_partial |= job->is_unread;
		for (size_t k = 0; k < job->found.count; k++)
			take_found(searching, &job->found.items[k]);
		vector_free(&job->found);
	}
	searching->job_count = 0;
}

static void search_file(struct searching *searching, const struct kernel_file *file)
{
	struct module_texts module = module_texts_open(file, searching->search->architectures,
						       searching->search->architecture_count);

	for (size_t i = 0; i < module.texts.count && !searching->is_partial; i++) {
		const struct fatbin_entry *entry = &module.texts.items[i];

		if (entry->unpacked_size > TEXT_BYTES_MOST - searching->text_bytes) {
			searching->is_partial = true;
			break;
		}
		searching->text_bytes += entry->unpacked_size;
		searching->jobs[searching->job_count++] = (struct text_job){.entry = *entry};
		if (searching->job_count == BATCH)
			run_jobs(searching);
	}
	run_jobs(searching);
	module_texts_close(&module);
}

struct kernel_answer *kernel_search(const struct kernel_search *search)
{
	struct searching searching = {
		.search = search,
		.answers = memory_array(search->name_count, sizeof(*searching.answers)),
		.are_found = memory_array(search->name_count, sizeof(bool)),
		.are_failed = memory_array(search->name_count, sizeof(bool)),
	};

	for (size_t i = 0; i < search->name_count; i++)
		map_add(&searching.names, ptx_hash(0, token_of(search->names[i])), i);
	for (size_t i = 0; i < search->file_count && !searching.is_partial; i++)
		search_file(&searching, &search->files[i]);
	for (size_t i = 0; i < search->name_count; i++)
		searching.answers[i].is_known =
			searching.are_found[i] && !searching.are_failed[i] && !searching.is_partial;
	map_free(&searching.names);
	free(searching.are_found);
	free(searching.are_failed);
	return searching.answers;
}

void kernel_answers_free(struct kernel_answer *answers, size_t count)
{
	for (size_t i = 0; answers && i < count; i++)
		kernel_uses_free(&answers[i].uses);
	free(answers);
}
