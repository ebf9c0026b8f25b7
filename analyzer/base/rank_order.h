/*
 * The order of ranks as launchers give them: "2" comes before "10". Any thread.
 */
#ifndef STREAMTRACE_RANK_ORDER_H
#define STREAMTRACE_RANK_ORDER_H

/* As strcmp() returns. By number, others by name behind them; NULL, without a rank, last. */
int rank_order(const char *a, const char *b);

#endif
