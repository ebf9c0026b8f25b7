#include "model/host_callee.h"

#include "trace/short_name.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* By the beginning of their folders in site-packages/: packages whose name people spell in another
 * way. */
static const struct {
	const char *folder, *name;
} packages[] = {
	{"numpy", "NumPy"},
	{"scipy", "SciPy"},
	{"torch", "PyTorch"},
	{"triton", "Triton"},
	{"jax", "JAX"},
	{"cupy", "CuPy"},
	{"PIL", "Pillow"},
	{"cv2", "OpenCV"},
	{"sklearn", "scikit-learn"},
	{"numba", "Numba"},
	{"tensorflow", "TensorFlow"},
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The name of the package that a file in site-packages/ belongs to; NULL: the file is in none. */
static const char *package_of(const char *path, struct arena *arena)
{
	const char *folder = strstr(path, "-packages/");
	char text[64];

	if (!folder)
		return NULL;
	folder += strlen("-packages/");
	for (size_t i = 0; i < COUNT(packages); i++)
		if (!strncmp(folder, packages[i].folder, strlen(packages[i].folder)))
			return packages[i].name;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(folder, "/."), folder);
	return *text ? arena_text(arena, text) : NULL;
}

/* "queue" of ".../queue.py", "json" of ".../json/__init__.py" and of "_json.cpython-312.so". */
static void module_name(const char *path, char *text, size_t size)
{
	const char *name = base_name(path);

	if (!strncmp(name, "__init__.", strlen("__init__."))) {
		const char *end = name > path ? name - 1 : name;

		for (name = end; name > path && name[-1] != '/';)
			name--;
		snprintf(text, size, "%.*s", (int)(end - name), name);
		return;
	}
	name += strspn(name, "_");
	snprintf(text, size, "%.*s", (int)strcspn(name, "."), name);
}

/* "queue.get" of the function Queue.get in queue.py. */
static const char *python_name(const struct trace_python_frame *frame, struct arena *arena)
{
	const char *package = frame->file ? package_of(frame->file, arena) : NULL, *function;
	char module[64], text[160];

	if (package || !frame->file)
		return package;
	function = frame->function ? strrchr(frame->function, '.') : NULL;
	function = function ? function + 1 : frame->function;
	module_name(frame->file, module, sizeof(module));
	snprintf(text, sizeof(text), "%s%s%.80s", module, function ? "." : "",
		 function ? function : "");
	return arena_text(arena, text);
}

/* Whether the module is an extension of Python's standard library. */
static bool is_standard_extension(const char *path)
{
	return strstr(path, "/lib-dynload/") != NULL;
}

static const char *module_text(const char *path, struct arena *arena)
{
	enum framework framework = framework_of_path(path);
	const char *package = package_of(path, arena);
	char text[64];

	if (package)
		return package;
	if (framework)
		return framework_name(framework);
	if (!is_standard_extension(path))
		return base_name(path);
	module_name(path, text, sizeof(text));
	return arena_text(arena, text);
}

/* Of native code below Python's innermost frame: the library that Python called. */
static const char *called_extension(const struct trace_site *site, struct arena *arena)
{
	const char *last = NULL;

	for (int depth = 0; depth < site->depth; depth++) {
		const char *module = site->frames[depth].module;

		if (module && site_is_interpreter(module))
			break;
		if (module && !site_is_trampoline(module))
			last = module;
	}
	return last ? module_text(last, arena) : NULL;
}

static const char *python_callee(const struct trace_site *site, struct arena *arena)
{
	int own = 0;

	while (own < site->python_depth && site_is_python_library(site->python_frames[own].file))
		own++;
	if (own == site->python_depth)
		return NULL;
	return own ? python_name(&site->python_frames[own - 1], arena)
		   : called_extension(site, arena);
}

static const char *native_callee(const struct trace_site *site, struct arena *arena)
{
	const struct trace_frame *own = site_application_frame(site, NULL), *inner;
	struct short_name name;

	if (!own || own->is_library || (own == site->frames && !own->through))
		return NULL;
	if (own->through)
		return arena_text(arena, short_name(&name, own->through, SHORT_NAME_FUNCTION));
	inner = own - 1;
	if (inner->function)
		return arena_text(arena, short_name(&name, inner->function, SHORT_NAME_FUNCTION));
	return inner->module ? module_text(inner->module, arena) : NULL;
}

const char *host_callee(const struct trace_site *site, bool is_python, struct arena *arena)
{
	if (!site)
		return NULL;
	return is_python ? python_callee(site, arena) : native_callee(site, arena);
}
