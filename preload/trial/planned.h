/*
 * The page's site of a call, by its return address. Any thread; a signal handler too. A repeated look-up costs one
 * load: the answers are kept, and thrown away when a library is unloaded.
 */
#ifndef STREAMTRACE_TRIAL_PLANNED_H
#define STREAMTRACE_TRIAL_PLANNED_H

#include "trial/trial.h"

/* The site with this fix for the call, counted as called; NULL: none. */
struct trial_site *planned_find(const struct trial_call *call, enum trial_fix fix);

/* Whether the call is of the page's site, which it does not count. */
bool planned_is(const struct trial_call *call, const struct trial_site *site);

/* Whether the page has a site with this fix. */
bool planned_has(enum trial_fix fix);

/* Count that the fix was made at the site, or notes why not. */
void planned_applied(struct trial_site *site);
void planned_refuse(struct trial_site *site, enum trial_refusal refusal);

#endif
