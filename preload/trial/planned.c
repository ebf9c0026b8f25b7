#include "trial/planned.h"

#include "base/hash.h"
#include "base/loaded.h"
#include "base/hot.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CACHE_BITS   9 /* a program has some hundred CUDA calls in its code */
#define ADDRESS_BITS 48

_Static_assert(TRIAL_MOST_SITES + 1 < 1 << (64 - ADDRESS_BITS), "a site fits above an address");

/* An answer: the return address, and above it 1 plus the site's index, or 0 for none. */
static _Atomic uint64_t answers[TRIAL_FIX_COUNT][1 << CACHE_BITS];
static _Atomic uint64_t answers_of; /* value of loaded_unloads() */

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A trace has the module's name without links (stack/modules.h). */
static bool is_module(const struct link_map *module, const char *wanted)
{
	char path[PATH_MAX];
	ssize_t length;

	if (module->l_name[0])
		return !strcmp(last_component(module->l_name), wanted) ||
		       (realpath(module->l_name, path) && !strcmp(last_component(path), wanted));
	length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	return !strcmp(last_component(path), wanted);
}

static bool is_site(const struct trial_site *site, enum trial_fix fix, uint64_t address,
		    const struct link_map *module)
{
	if (site->fix != fix)
		return false;
	if (!site->module[0])
		return true;
	return module && address - module->l_addr == site->offset &&
	       is_module(module, site->module);
}

/* 1 plus the index; 0: none. */
static COLD uint64_t search_site(uint64_t address, enum trial_fix fix)
{
	struct dl_find_object found;
	const struct link_map *module =
		_dl_find_object((void *)address, &found) ? NULL : found.dlfo_link_map;

	for (uint32_t i = 0; i < trial_page->site_count; i++)
		if (is_site(&trial_page->sites[i], fix, address, module))
			return i + 1;
	return 0;
}

static COLD void forget_answers(uint64_t unloads)
{
	for (int fix = 0; fix < TRIAL_FIX_COUNT; fix++)
		for (int i = 0; i < 1 << CACHE_BITS; i++)
			atomic_store_explicit(&answers[fix][i], 0, memory_order_relaxed);
	atomic_store(&answers_of, unloads);
}

/* 1 plus the index; 0: none. */
static uint64_t look_up(const struct trial_call *call, enum trial_fix fix)
{
	const uint64_t address = call->caller, unloads = loaded_unloads();
	_Atomic uint64_t *slot = &answers[fix][hash_word(address) >> (64 - CACHE_BITS)];
	uint64_t answer;

	if (__builtin_expect(unloads != atomic_load(&answers_of), 0))
		forget_answers(unloads);
	answer = atomic_load_explicit(slot, memory_order_relaxed);
	if (answer << (64 - ADDRESS_BITS) >> (64 - ADDRESS_BITS) != address) {
		answer = search_site(address, fix) << ADDRESS_BITS | address;
		atomic_store_explicit(slot, answer, memory_order_relaxed);
	}
	return answer >> ADDRESS_BITS;
}

bool planned_is(const struct trial_call *call, const struct trial_site *site)
{
	const uint64_t number = look_up(call, (enum trial_fix)site->fix);

	return number && site == &trial_page->sites[number - 1];
}

struct trial_site *planned_find(const struct trial_call *call, enum trial_fix fix)
{
	const uint64_t number = look_up(call, fix);

	if (!number)
		return NULL;
	atomic_fetch_add_explicit(&trial_page->sites[number - 1].calls, 1, memory_order_relaxed);
	return &trial_page->sites[number - 1];
}

bool planned_has(enum trial_fix fix)
{
	enum { IS_KNOWN = 1 };
	static _Atomic uint32_t plan; /* bit 1 + fix: the page has it */
	uint32_t found = atomic_load_explicit(&plan, memory_order_relaxed);

	if (!found) {
		found = IS_KNOWN;
		for (uint32_t i = 0; i < trial_page->site_count; i++)
			if (trial_page->sites[i].fix < TRIAL_FIX_COUNT)
				found |= 2u << trial_page->sites[i].fix;
		atomic_store_explicit(&plan, found, memory_order_relaxed);
	}
	return found & 2u << fix;
}

void planned_applied(struct trial_site *site)
{
	atomic_fetch_add_explicit(&site->applied, 1, memory_order_relaxed);
}

void planned_refuse(struct trial_site *site, enum trial_refusal refusal)
{
	atomic_fetch_or_explicit(&site->refusals, 1u << refusal, memory_order_relaxed);
}
