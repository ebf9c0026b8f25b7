#include "ptx/kernel_search.h"

#include "base/parallel.h"
#include "ptx/machine_code.h"
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
	bool is_of_image, is_unread;
	VECTOR(struct found) found;
};

struct searching {
	const struct kernel_search *search;
	struct map names; /* from ptx_hash(0, name) to index */
	struct kernel_answer *answers;
	bool *are_found, *are_failed, *are_in_images; /* by name */
	uint64_t text_bytes;			      /* so far */
	/* A text of the files, or of the images, was not read: any kernel may have another version there. */
	bool is_partial, lacks_images;
	struct text_job jobs[BATCH];
	size_t job_count;
};

static struct ptx_token token_of(const char *name)
{
	return (struct ptx_token){name, strlen(name), PTX_WORD};
}

static bool is_found(const struct text_job *job, size_t name)
{
	for (size_t i = 0; i < job->found.count; i++)
		if (job->found.items[i].name == name)
			return true;
	return false;
}

/* Once each, of which nothing else is known so far. */
static void find_name(const struct searching *searching, struct text_job *job,
		      struct ptx_token name)
{
	const bool *are_of_images = searching->search->are_of_images;
	const size_t index = map_find(&searching->names, ptx_hash(0, name));

	if (index != MAP_NONE && !is_found(job, index) &&
	    (job->is_of_image || !are_of_images || !are_of_images[index]))
		*vector_add(&job->found) = (struct found){.name = index};
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

		tokens.at += strlen(directive);
		name = ptx_next(&tokens);
		if (name.kind == PTX_WORD)
			find_name(searching, job, name);
	}
}

/* Kernels that are in the code and not in its text. */
static void find_code_names(const struct searching *searching, struct text_job *job,
			    const char *code, size_t size)
{
	const char *at = code, *name;

	while ((name = machine_code_kernel(code, size, &at)))
		find_name(searching, job, token_of(name));
}

static void read_kernels(const struct searching *searching, struct text_job *job, const char *text,
			 size_t size)
{
	struct ptx_index functions;

	find_names(searching, job, text, size);
	if (!job->found.count)
		return;
	if (ptx_index_read(&functions, text, size)) {
		for (size_t i = 0; i < job->found.count; i++) {
			struct found *found = &job->found.items[i];
			const struct ptx_function *kernel = ptx_index_function(
				&functions, token_of(searching->search->names[found->name]));

			found->is_known = kernel && kernel->is_kernel &&
					  ptx_flow_find(&functions, kernel, &found->uses);
		}
	}
	ptx_index_free(&functions);
}

static void read_text(void *context, size_t index)
{
	const struct searching *searching = context;
	struct text_job *job = &((struct searching *)context)->jobs[index];
	size_t size;
	char *bytes = fatbin_unpack(&job->entry, &size), *text = bytes;

	job->is_unread = !bytes;
	if (!bytes)
		return;
	if (!job->entry.is_text)
		text = machine_code_text(bytes, job->entry.unpacked_size, &size);
	if (text)
		read_kernels(searching, job, text, size);
	if (!job->entry.is_text)
		find_code_names(searching, job, bytes, job->entry.unpacked_size);
	if (text != bytes)
		free(text);
	free(bytes);
}

static void take_found(struct searching *searching, const struct text_job *job, struct found *found)
{
	struct kernel_answer *answer = &searching->answers[found->name];

	searching->are_found[found->name] = true;
	searching->are_failed[found->name] |= !found->is_known;
	searching->are_in_images[found->name] |= job->is_of_image;
	kernel_uses_join(&answer->uses, &found->uses);
	kernel_uses_free(&found->uses);
}

static void run_jobs(struct searching *searching)
{
	parallel_run(searching->job_count, read_text, searching);
	for (size_t i = 0; i < searching->job_count; i++) {
		struct text_job *job = &searching->jobs[i];

		if (job->is_of_image)
			searching->lacks_images |= job->is_unread;
		else
			searching->is_partial |= job->is_unread;
		for (size_t k = 0; k < job->found.count; k++)
			take_found(searching, job, &job->found.items[k]);
		vector_free(&job->found);
	}
	searching->job_count = 0;
}

/* False: there are too many. */
static bool add_texts(struct searching *searching, const fatbin_entries *texts, bool is_of_image)
{
	for (size_t i = 0; i < texts->count; i++) {
		const struct fatbin_entry *entry = &texts->items[i];

		if (entry->unpacked_size > TEXT_BYTES_MOST - searching->text_bytes)
			return false;
		searching->text_bytes += entry->unpacked_size;
		searching->jobs[searching->job_count++] =
			(struct text_job){.entry = *entry, .is_of_image = is_of_image};
		if (searching->job_count == BATCH)
			run_jobs(searching);
	}
	return true;
}

static void search_file(struct searching *searching, const struct kernel_file *file)
{
	struct module_texts module = module_texts_open(file, searching->search->architectures,
						       searching->search->architecture_count);

	searching->is_partial |= !add_texts(searching, &module.texts, false);
	run_jobs(searching);
	module_texts_close(&module);
}

static void search_images(struct searching *searching)
{
	const struct kernel_search *search = searching->search;

	for (size_t i = 0; i < search->image_count && !searching->lacks_images; i++) {
		fatbin_entries texts = module_texts_of_image(
			&search->images[i], search->architectures, search->architecture_count);

		/* Nothing to read in it: it is of another form, or damaged. */
		searching->lacks_images |= !texts.count || !add_texts(searching, &texts, true);
		vector_free(&texts);
	}
	run_jobs(searching);
}

static bool is_answered(const struct searching *searching, size_t name)
{
	const bool *are_of_images = searching->search->are_of_images;
	const bool is_of_images = are_of_images && are_of_images[name];

	return searching->are_found[name] && !searching->are_failed[name] &&
	       (is_of_images || !searching->is_partial) &&
	       (!(is_of_images || searching->are_in_images[name]) || !searching->lacks_images);
}

struct kernel_answer *kernel_search(const struct kernel_search *search)
{
	struct searching searching = {
		.search = search,
		.answers = memory_array(search->name_count, sizeof(*searching.answers)),
		.are_found = memory_array(search->name_count, sizeof(bool)),
		.are_failed = memory_array(search->name_count, sizeof(bool)),
		.are_in_images = memory_array(search->name_count, sizeof(bool)),
		.lacks_images = search->lacks_images,
	};

	for (size_t i = 0; i < search->name_count; i++)
		map_add(&searching.names, ptx_hash(0, token_of(search->names[i])), i);
	for (size_t i = 0; i < search->file_count && !searching.is_partial; i++)
		search_file(&searching, &search->files[i]);
	search_images(&searching);
	for (size_t i = 0; i < search->name_count; i++)
		searching.answers[i].is_known = is_answered(&searching, i);
	map_free(&searching.names);
	free(searching.are_found);
	free(searching.are_failed);
	free(searching.are_in_images);
	return searching.answers;
}

void kernel_answers_free(struct kernel_answer *answers, size_t count)
{
	for (size_t i = 0; answers && i < count; i++)
		kernel_uses_free(&answers[i].uses);
	free(answers);
}
