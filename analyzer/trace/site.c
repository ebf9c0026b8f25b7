#include "trace/site.h"

#include "trace/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Libraries between the application and the driver, by the beginning of their file names: wheels
 * append a hash (libcudart-d0da41ae.so.11.0). */
static bool is_cuda_module(const char *path)
{
	static const char *const prefixes[] = {"libcudart",	     "libcupti",
					       "libcuda.so",	     "libstrace.so",
					       "libstrace_touch.so", "libstrace_try.so"};
	const char *name = base_name(path);
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (starts_with(name, prefixes[i]))
			return true;
	return false;
}

/* Headers with inline wrappers of the toolkit, and what nvcc generates
 * (tmpxft_00002614_00000000-6_saxpy.cudafe1.stub.c). CUDA 13 has __cudaLaunchKernel_helper in
 * crt/device_functions.h. */
bool site_is_cuda_source(const char *path)
{
	static const char *const headers[] = {"cuda_runtime.h", "cuda_runtime_api.h",
					      "host_runtime.h", "device_functions.h", "link.stub"};
	const char *name = base_name(path);
	size_t i;

	for (i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		if (strcmp(name, headers[i]) == 0)
			return true;
	return strstr(name, ".cudafe1.") != NULL;
}

/* cudaMalloc, __cudaLaunchKernel, cuLaunchKernel: as a static runtime's symbols are spelled. */
static bool is_cuda_name(const char *name)
{
	if (starts_with(name, "__cuda"))
		return true;
	if (starts_with(name, "cuda"))
		return isupper((unsigned char)name[4]);
	return starts_with(name, "cu") && isupper((unsigned char)name[2]);
}

/* The toolkit's template wrappers, such as _Z10cudaMallocIfE9cudaErrorPPT_m for
 * cudaMalloc<float>. */
static bool is_cuda_template(const char *name)
{
	size_t length;
	char *end;

	if (!starts_with(name, "_Z") || !isdigit((unsigned char)name[2]))
		return false;
	length = strtoul(name + 2, &end, 10);
	return is_cuda_name(end) && strlen(end) > length && end[length] == 'I';
}

/* Functions that are never the application's. The runtime's own names count only without a source
 * file: an application may have its own cudaCheck(). */
static bool is_cuda_function(const struct trace_frame *frame)
{
	const char *name = frame->function;

	return strstr(name, "__device_stub_") || strstr(name, "__cudaLaunchKernel_helper") ||
	       starts_with(name, "libcudart_static_") ||
	       (!frame->file && (is_cuda_name(name) || is_cuda_template(name)));
}

/* Extracts the kernel's mangled name from a stub's: __device_stub__Z5plainPf, which C++ may have
 * mangled again, to _Z24__device_stub__Z5plainPfPf. */
static void remember_stub(struct frame_filter *filter, const char *function)
{
	static const char prefix[] = "__device_stub_";
	size_t length = 0, limit = sizeof(filter->stub_kernel) - 1;
	const char *stub = strstr(function, prefix), *digits = stub;

	if (!stub)
		return;
	while (digits > function && isdigit((unsigned char)digits[-1]))
		digits--;
	if (digits < stub)
		length = strtoul(digits, NULL, 10);
	stub += strlen(prefix);
	length = length > strlen(prefix) ? length - strlen(prefix) : strlen(stub);
	if (!starts_with(stub, "_Z"))
		return;
	length = strnlen(stub, length < limit ? length : limit);
	memcpy(filter->stub_kernel, stub, length);
	filter->stub_kernel[length] = '\0';
}

/* Length of a name up to its template arguments; *start skips its namespaces. */
static size_t unqualified_length(const char *name, const char **start)
{
	int depth = 0;
	const char *c, *end = NULL;

	*start = name;
	for (c = name; *c; c++) {
		if (*c == '<' && depth++ == 0)
			end = c;
		else if (*c == '>')
			depth--;
		else if (depth == 0 && c[0] == ':' && c[1] == ':') {
			*start = c + 2;
			end = NULL;
		}
	}
	return (size_t)((end ? end : c) - *start);
}

/* Debug information names some inlined functions without mangling: scale<float>. */
static bool is_plain_name_of(const char *function, const char *kernel)
{
	char *plain = demangle(kernel, false);
	const char *a, *b;
	size_t a_length, b_length;
	bool same;

	if (!plain)
		return false;
	a_length = unqualified_length(function, &a);
	b_length = unqualified_length(plain, &b);
	same = a_length == b_length && strncmp(a, b, a_length) == 0 && !a[a_length] == !b[b_length];
	free(plain);
	return same;
}

/* Whether function is the host stub of kernel. A static kernel's stub is _ZL6hiddenPf, the device's
 * function _Z6hiddenPf: compares the demangled names. */
static bool is_stub_of(const char *function, const char *kernel)
{
	char *a, *b;
	bool same;

	if (strcmp(function, kernel) == 0)
		return true;
	if (!starts_with(function, "_Z"))
		return is_plain_name_of(function, kernel);
	a = demangle(function, true);
	b = demangle(kernel, true);
	same = a && b && strcmp(a, b) == 0;
	free(a);
	free(b);
	return same;
}

bool frame_filter_accepts(struct frame_filter *filter, const struct trace_frame *frame)
{
	if (frame->function)
		remember_stub(filter, frame->function);
	if (frame->module && is_cuda_module(frame->module))
		return false;
	if (frame->file && site_is_cuda_source(frame->file))
		return false;
	if (!frame->function)
		return true;
	if (is_cuda_function(frame))
		return false;
	if (filter->kernel && is_stub_of(frame->function, filter->kernel))
		return false;
	return !filter->stub_kernel[0] || !is_stub_of(frame->function, filter->stub_kernel);
}

static bool contains_any(const char *text, const char *const *parts, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strstr(text, parts[i]))
			return true;
	return false;
}

static bool starts_with_any(const char *text, const char *const *prefixes, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (starts_with(text, prefixes[i]))
			return true;
	return false;
}

#define CONTAINS_ANY(text, parts)    contains_any(text, parts, sizeof(parts) / sizeof(*(parts)))
#define STARTS_WITH_ANY(text, parts) starts_with_any(text, parts, sizeof(parts) / sizeof(*(parts)))

bool site_is_interpreter(const char *path)
{
	static const char *const prefixes[] = {"python", "libpython"};
	const char *name = base_name(path);

	return STARTS_WITH_ANY(name, prefixes) && !strstr(name, ".cpython-");
}

bool site_is_program(const char *path, const char *program)
{
	return strcmp(base_name(path), program) == 0;
}

/* In the program's folder, or in the same tree of /opt: one product. */
static bool is_beside(const char *path, const char *program)
{
	bool is_opt = starts_with(program, "/opt/");
	const char *end = is_opt ? strchr(program + 5, '/') : strrchr(program, '/');
	size_t length = end ? (size_t)(end - program) + 1 : 0;

	return length > 0 && strncmp(path, program, length) == 0 &&
	       (is_opt || !strchr(path + length, '/'));
}

/* PREFIX/envs/NAME/lib/... */
static bool is_conda_environment(const char *path)
{
	const char *name = strstr(path, "/envs/"), *end = name ? strchr(name + 6, '/') : NULL;

	return end && starts_with(end, "/lib/");
}

bool site_is_library(const char *path, const char *program)
{
	static const char *const folders[] = {"/usr/", "/lib/", "/lib32/", "/lib64/",
					      "/opt/", "/nix/", "/gnu/",   "/snap/"};
	static const char *const parts[] = {"/site-packages/", "/dist-packages/", "/lib/python3.",
					    "conda/lib/",      "conda3/lib/",	  "forge/lib/",
					    "forge3/lib/"};
	/* Toolkits that users unpack where they like. */
	static const char *const names[] = {
		"libcublas",   "libcudnn",    "libcufft",  "libcurand", "libcusolver",
		"libcusparse", "libcutensor", "libnccl",   "libnpp",	"libnv",
		"libstdc++",   "libgomp",     "linux-vdso"};

	if (site_is_interpreter(path))
		return true;
	if (program && !site_is_interpreter(program) && is_beside(path, program))
		return false;
	return STARTS_WITH_ANY(path, folders) || CONTAINS_ANY(path, parts) ||
	       STARTS_WITH_ANY(base_name(path), names) || is_conda_environment(path);
}

bool site_is_python_library(const char *file)
{
	static const char *const parts[] = {"/site-packages/", "/dist-packages/", "/lib/python3."};

	return starts_with(file, "<frozen") || strcmp(file, "<shim>") == 0 ||
	       CONTAINS_ANY(file, parts);
}

bool site_is_trampoline(const char *path)
{
	static const char *const names[] = {"libc.so", "libc-",	     "libpthread",
					    "libffi",  "libstdc++.", "ld-linux-"};

	return site_is_interpreter(path) || STARTS_WITH_ANY(base_name(path), names);
}

/* What a call site's native frames say. */
struct choice {
	const struct trace_frame *own;	   /* the first that is the application's, or NULL */
	const struct trace_frame *foreign; /* the first that is not CUDA's, or NULL */
	const char *caller;		   /* module that made the call, or NULL */
	bool is_called_by_python;	   /* own is */
	const char *through;		   /* function of a library of headers between, or NULL */
};

static struct choice choose_frame(const struct trace_site *site, const char *kernel)
{
	struct frame_filter filter = {.kernel = kernel};
	struct choice choice = {.is_called_by_python = true};
	int depth;

	for (depth = 0; site && depth < site->depth && !choice.own; depth++) {
		const struct trace_frame *frame = &site->frames[depth];

		if (frame->module && site_is_interpreter(frame->module))
			choice.is_called_by_python = false;
		if (!frame_filter_accepts(&filter, frame))
			continue;
		if (!choice.foreign ||
		    (choice.foreign->module && site_is_trampoline(choice.foreign->module)))
			choice.foreign = frame;
		if (!choice.caller && frame->module && !site_is_trampoline(frame->module))
			choice.caller = frame->module;
		if (frame->is_library)
			continue;
		if (frame->is_library_line)
			choice.through = frame->function;
		else
			choice.own = frame;
	}
	if (choice.own && choice.own->through)
		choice.through = choice.own->through;
	return choice;
}

const struct trace_frame *site_application_frame(const struct trace_site *site, const char *kernel)
{
	struct choice choice = choose_frame(site, kernel);

	return choice.own ? choice.own : choice.foreign;
}

bool site_is_in_call(const struct trace_site *site)
{
	for (int i = 0; i < site->depth; i++) {
		const struct trace_frame *frame = &site->frames[i];

		if (frame->module && starts_with(base_name(frame->module), "libstrace.so"))
			return true;
		if (!frame->is_library)
			return false;
	}
	return false;
}

bool site_has_own_code(const struct trace_site *site)
{
	const struct trace_frame *own = choose_frame(site, NULL).own;

	for (int depth = 0; site && !site->is_lent && depth < site->python_depth; depth++)
		if (!site_is_python_library(site->python_frames[depth].file))
			return true;
	return own && own->module;
}

static struct site describe_python(const struct trace_site *site, const char *caller)
{
	const struct trace_python_frame *frame = &site->python_frames[0];
	int depth;

	for (depth = 0; depth < site->python_depth; depth++)
		if (!site_is_python_library(site->python_frames[depth].file)) {
			frame = &site->python_frames[depth];
			break;
		}
	return (struct site){
		.file = frame->file,
		.line = frame->line,
		.function = frame->function,
		.through = caller,
		.is_python = true,
		.framework = framework_of(site),
	};
}

/* A framework's own thread, such as PyTorch's for backward passes, runs no Python; in a Python
 * program its calls still belong to the framework. */
static enum framework framework_of_thread(const struct trace *trace, const struct trace_site *site)
{
	return trace && trace_metadata(trace, "python") ? framework_of(site) : FRAMEWORK_NONE;
}

struct site site_describe_anew(const struct trace *trace, const struct trace_site *site,
			       const char *kernel)
{
	struct choice choice = choose_frame(site, kernel);
	const struct trace_frame *frame = choice.own ? choice.own : choice.foreign;
	bool has_line = choice.own && choice.own->file && choice.is_called_by_python;

	if (site && site->python_depth > 0 && !has_line)
		return describe_python(site, choice.caller);
	if (!frame && site && site->depth > 0)
		frame = &site->frames[0];
	if (!frame)
		return (struct site){0};
	return (struct site){
		.file = frame->file,
		.line = frame->line,
		.function = frame->function ? trace_demangle(trace, frame->function) : NULL,
		.module = frame->module,
		.offset = frame->offset,
		.through = choice.caller != frame->module ? choice.caller : NULL,
		.through_function = frame == choice.own ? choice.through : NULL,
		.framework = choice.own ? FRAMEWORK_NONE : framework_of_thread(trace, site),
	};
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

int site_compare(const struct site *a, const struct site *b)
{
	int order = compare_texts(a->file, b->file);

	if (!order)
		order = (a->line > b->line) - (a->line < b->line);
	if (!order)
		order = compare_texts(a->module, b->module);
	if (!order && !a->file)
		order = (a->offset > b->offset) - (a->offset < b->offset);
	return order;
}
