#include "trace/kernel_code.h"

#include "trace/trace_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef VECTOR(const char *) kernel_names;
typedef VECTOR(struct kernel_file) kernel_files;
typedef VECTOR(uint32_t) architectures;
typedef VECTOR(bool) flags;

/* A kernel that the program compiled or read at run time is in an image, if these were recorded, and in no file that is
 * known here. The runtime launches those of files alone; a statically linked one does so by calls of the driver. Then a C++
 * name tells enough: strangers do not choose it by accident, as they do "add". */
static bool is_of_file(const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;

	return !call || strncmp(call->form->function->name, "cu", 2) != 0 ||
	       !strncmp(call->form->function->name, "cuda", 4) ||
	       !strncmp(operation->form->name, "_Z", 2);
}

static bool is_kernel(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_KERNEL && operation->form->name;
}

/* are_of_images: by index of the names. */
static void find_names(const struct trace *trace, struct trace_kernels *kernels,
		       flags *are_of_images)
{
	kernel_names names = {0};

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		size_t index;

		if (!is_kernel(operation))
			continue;
		index = map_find(&kernels->by_name, (uintptr_t)operation->form->name);
		if (index == MAP_NONE) {
			index = names.count;
			map_add(&kernels->by_name, (uintptr_t)operation->form->name, index);
			*vector_add(&names) = operation->form->name;
			*vector_add(are_of_images) = false;
		}
		assert(are_of_images->items); /* the map's indexes point into it */
		are_of_images->items[index] |= !is_of_file(operation);
	}
	vector_move(&names, kernels->names, kernels->count);
}

static bool lacks_images(const struct trace *trace)
{
	for (size_t i = 0; i < trace->loss_count; i++)
		if (!strcmp(trace->losses[i].kind, "code-lost"))
			return true;
	return false;
}

static void find_files(const struct trace *trace, kernel_files *files)
{
	const char *start = trace_metadata(trace, "start_ns");
	struct map seen = {0};

	for (size_t i = 0; i < trace->private->frames.count; i++) {
		const struct trace_frame *frame = &trace->private->frames.items[i];

		if (!frame->module || !map_add(&seen, (uintptr_t)frame->module, 1))
			continue;
		*vector_add(files) =
			(struct kernel_file){.path = frame->module,
					     .build_id = frame->build_id,
					     .newest_ns = start ? strtoll(start, NULL, 10) : 0};
	}
	map_free(&seen);
}

static void find_architectures(const struct trace *trace, architectures *found)
{
	for (size_t i = 0; i < trace->device_count; i++)
		*vector_add(found) =
			trace->devices[i].compute_major * 10 + trace->devices[i].compute_minor;
}

void trace_resolve_kernels(struct trace *trace)
{
	struct trace_kernels *kernels;
	kernel_files files = {0};
	architectures devices = {0};
	flags are_of_images = {0};

	kernel_code_free(trace);
	if (!trace->arguments_count)
		return;
	kernels = memory_array(1, sizeof(*kernels));
	find_names(trace, kernels, &are_of_images);
	find_files(trace, &files);
	find_architectures(trace, &devices);
	kernels->answers = kernel_search(&(struct kernel_search){
		.files = files.items,
		.file_count = files.count,
		.architectures = devices.items,
		.architecture_count = devices.count,
		.names = kernels->names,
		.name_count = kernels->count,
		.images = trace->private->images.items,
		.image_count = trace->private->images.count,
		.lacks_images = lacks_images(trace),
		.are_of_images = are_of_images.items,
	});
	vector_free(&files);
	vector_free(&devices);
	vector_free(&are_of_images);
	trace->kernels = kernels;
}

const struct kernel_uses *trace_kernel_uses(const struct trace *trace, const char *name)
{
	const struct trace_kernels *kernels = trace->kernels;
	const size_t index = kernels ? map_find(&kernels->by_name, (uintptr_t)name) : MAP_NONE;

	return index != MAP_NONE && kernels->answers[index].is_known ? &kernels->answers[index].uses
								     : NULL;
}

void kernel_code_free(struct trace *trace)
{
	struct trace_kernels *kernels = trace->kernels;

	if (!kernels)
		return;
	kernel_answers_free(kernels->answers, kernels->count);
	free(kernels->names);
	map_free(&kernels->by_name);
	free(kernels);
	trace->kernels = NULL;
}
