#include "trial/run_fixes.h"

#include "base/driver.h"
#include "trial/planned.h"

static CUresult keep_pool(CUdevice device)
{
	const struct driver *driver = driver_functions();
	cuuint64_t threshold = UINT64_MAX;
	CUmemoryPool pool;
	CUresult error;

	if (!DRIVER_CALL(driver, cuDeviceGetDefaultMemPool) ||
	    !DRIVER_CALL(driver, cuMemPoolSetAttribute))
		return CUDA_ERROR_NOT_SUPPORTED;
	error = DRIVER_CALL(driver, cuDeviceGetDefaultMemPool)(&pool, device);
	if (error)
		return error;
	return DRIVER_CALL(driver, cuMemPoolSetAttribute)(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
							  &threshold);
}

static CUresult set_stack(uint64_t bytes)
{
	const struct driver *driver = driver_functions();
	size_t now = 0;

	if (!DRIVER_CALL(driver, cuCtxSetLimit) || !DRIVER_CALL(driver, cuCtxGetLimit))
		return CUDA_ERROR_NOT_SUPPORTED;
	/* The program may have set more. */
	if (!DRIVER_CALL(driver, cuCtxGetLimit)(&now, CU_LIMIT_STACK_SIZE) && now >= bytes)
		return CUDA_SUCCESS;
	return DRIVER_CALL(driver, cuCtxSetLimit)(CU_LIMIT_STACK_SIZE, bytes);
}

static void make_fix(struct trial_site *site, CUdevice device)
{
	const CUresult error =
		site->fix == TRIAL_POOL_THRESHOLD ? keep_pool(device) : set_stack(site->offset);

	atomic_fetch_add(&site->calls, 1);
	if (!error)
		planned_applied(site);
	else
		planned_refuse(site, TRIAL_REFUSED_NO_MEMORY);
}

void run_fixes_make(CUdevice device)
{
	for (uint32_t i = 0; i < trial_page->site_count; i++)
		if (trial_page->sites[i].fix == TRIAL_POOL_THRESHOLD ||
		    trial_page->sites[i].fix == TRIAL_STACK_LIMIT)
			make_fix(&trial_page->sites[i], device);
}
