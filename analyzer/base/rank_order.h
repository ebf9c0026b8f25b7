/*
 * Compares ranks as launchers name them: "2" comes before "10". Any thread.
 */
#ifndef STREAMTRACE_RANK_ORDER_H
#define STREAMTRACE_RANK_ORDER_H

/* Below, equal to or above 0, like strcmp(). Numbers come first, then other names, then NULL (no
 * rank). Both may be NULL. */
int rank_order(const char *a, const char *b);

#endif
