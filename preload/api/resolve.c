#include "api/resolve.h"

#include "base/loaded.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

void *_Atomic cudart_functions[CUDART_COUNT][SYMBOL_COUNT];

static const char *const versions[CUDART_COUNT] = {
#define VERSION(id, node, ...) [CUDART_##id] = #node,
	CUDARTS(VERSION, )
#undef VERSION
};

const char *resolve_version(enum cudart cudart)
{
	return versions[cudart];
}

static const char *const names[SYMBOL_COUNT] = {
#define NAMES_PLAIN(name)			       [SYMBOL_##name] = #name,
#define NAMES_PTSZ(name)			       NAMES_PLAIN(name)[SYMBOL_##name##_ptsz] = #name "_ptsz",
#define NAMES_PTDS(name)			       NAMES_PLAIN(name)[SYMBOL_##name##_ptds] = #name "_ptds",
#define CALL(name, variant, class, params, args, keep) NAMES_##variant(name)
#include "api/calls.def"
#undef CALL
	[SYMBOL_cudaProfilerStart] = "cudaProfilerStart",
	[SYMBOL_cudaProfilerStop] = "cudaProfilerStop",
#ifdef STREAMTRACE_MAKES_FIXES
	[SYMBOL_cudaDestroyTextureObject] = "cudaDestroyTextureObject",
	[SYMBOL_cudaDestroySurfaceObject] = "cudaDestroySurfaceObject",
	[SYMBOL_cudaGetFuncBySymbol] = "cudaGetFuncBySymbol",
	[SYMBOL_cudaGetLastError] = "cudaGetLastError",
	[SYMBOL_cudaPeekAtLastError] = "cudaPeekAtLastError",
#endif
};

/* Where a symbol is searched, in this order: behind us, in libraries with the version, in any
 * cudart. */
enum rank { RANK_NEXT, RANK_VERSION, RANK_ANY, RANK_COUNT };

struct search {
	enum cudart cudart;
	enum rank rank;
};

/* False for interposers. */
static bool has_cudart_versions(const struct symbols *symbols)
{
	for (int i = 0; i < CUDART_COUNT; i++)
		if (symbols_version(symbols, versions[i]))
			return true;
	return false;
}

/* Python wheels change the file's name (libcudart-d0da41ae.so.13), but not its stem nor the
 * symbols' versions. */
static bool is_cudart_file(const char *file)
{
	return !strncmp(file, "libcudart", strlen("libcudart"));
}

static bool is_wanted(const struct loaded *library, enum rank rank, unsigned version)
{
	switch (rank) {
	case RANK_NEXT:
		return library->is_next && (version || !has_cudart_versions(&library->symbols));
	case RANK_VERSION:
		return version != SYMBOLS_NO_VERSION;
	default:
		return is_cudart_file(library->file);
	}
}

/* Two threads at once store the same addresses. */
static bool take_functions(const struct loaded *library, void *data)
{
	const struct search *search = data;
	const unsigned version = symbols_version(&library->symbols, versions[search->cudart]);
	void *found, *none, *last = NULL;

	if (!is_wanted(library, search->rank, version))
		return false;
	for (int i = 0; i < SYMBOL_COUNT; i++) {
		found = symbols_find(&library->symbols, names[i], version);
		none = NULL;
		if (found && atomic_compare_exchange_strong(&cudart_functions[search->cudart][i],
							    &none, found))
			last = found;
	}
	if (last)
		loaded_keep(last);
	return false;
}

void *resolve_function(enum cudart cudart, enum symbol symbol)
{
	const int saved_errno = errno;

	for (int rank = 0; rank < RANK_COUNT; rank++)
		loaded_each(take_functions, &(struct search){cudart, (enum rank)rank});
	errno = saved_errno;
	return atomic_load_explicit(&cudart_functions[cudart][symbol], memory_order_acquire);
}
