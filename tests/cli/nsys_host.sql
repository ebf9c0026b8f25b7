-- An export of Nsight Systems: ten steps of 100 ms. In each the main thread (100) prepares a batch for 50 ms, waits 20 ms for a
-- loader's thread (101), which decodes another one for 18 ms of that, and launches a kernel that runs from 71 to 100
-- ms, until which it waits. Thread 102 reads a pipe all the time, thread 103 is Nsight Systems' own.
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'cudaDeviceSynchronize_v3020'), (3, 'step(float*)'), (4, '_Z4stepPf'),
  (10, 'prepare(Batch&)'), (11, 'main'), (12, 'decode(char const*)'), (13, 'fill(Queue&)'), (14, 'take(Queue&)'), (15, 'memcpy'),
  (20, '/home/u/app/train'), (21, '/usr/lib/x86_64-linux-gnu/libc.so.6'), (22, '[kernel.kallsyms]'), (23, '[Max depth]'),
  (24, 'do_syscall_64'), (30, 'pthread_cond_wait'), (31, 'read'), (32, 'pthread_mutex_lock'), (33, 'munmap'),
  (40, 'train'), (41, 'loader-0'), (42, '[NSys]');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'), ('EXPORT_PRODUCT_VERSION', '2025.3.1');
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1000000000);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT);
INSERT INTO TARGET_INFO_GPU VALUES (1 << 48, 0, 'NVIDIA H100');
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
INSERT INTO PROCESSES VALUES ((1 << 48) + (100 << 24), 100, '/home/u/app/train');
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
INSERT INTO ThreadNames SELECT column1, 20, (1 << 48) + (100 << 24) + column2 FROM (VALUES (40, 100), (41, 101), (40, 102), (42, 103));
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
  streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, mangledName INTEGER);
CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER,
  globalTid INTEGER, cpuCycles INTEGER NOT NULL);
CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, kernelMode INTEGER,
  thumbCode INTEGER, unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER, stackDepth INTEGER NOT NULL,
  PRIMARY KEY (id, stackDepth));
CREATE TABLE SCHED_EVENTS (start INTEGER NOT NULL, cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL, globalTid INTEGER,
  threadState INTEGER, threadBlock INTEGER);
CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, nestingLevel INTEGER, callchainId INTEGER);
CREATE TABLE OSRT_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, kernelMode INTEGER,
  thumbCode INTEGER, unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, unwindMethod INTEGER, stackDepth INTEGER NOT NULL,
  PRIMARY KEY (id, stackDepth));

CREATE TEMP TABLE step (n INTEGER PRIMARY KEY);
WITH RECURSIVE next(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM next WHERE n < 9) INSERT INTO step SELECT n FROM next;
CREATE TEMP TABLE tick AS SELECT a.n * 10 + b.n AS ms FROM step a, step b;
CREATE TEMP TABLE ids AS SELECT 1000000 AS ms, (1 << 48) + (100 << 24) AS pid;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
  SELECT (100 * n + 70) * ms, (100 * n + 71) * ms, 0, pid + 100, 1 + 2 * n, 1, 0, NULL FROM step, ids
  UNION ALL SELECT (100 * n + 72) * ms, (100 * n + 100) * ms, 0, pid + 100, 2 + 2 * n, 2, 0, NULL FROM step, ids ORDER BY 1;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
  SELECT (100 * n + 71) * ms, (100 * n + 100) * ms, 0, 1, 7, 1 + 2 * n, pid, 3, 4 FROM step, ids;

-- In ms of a step. The main thread sleeps in the wait for the device, too, and wakes before it returns.
CREATE TEMP TABLE switches (thread, ms, is_in, state);
INSERT INTO switches VALUES (100, 50.1, 0, 2), (100, 69.9, 1, NULL), (100, 73, 0, 2), (100, 99, 1, NULL),
  (101, 50, 1, NULL), (101, 68, 0, 2), (103, 1, 1, NULL), (103, 99, 0, 2);
INSERT INTO SCHED_EVENTS SELECT 0, 0, 1, pid + 100, NULL, NULL FROM ids;
INSERT INTO SCHED_EVENTS SELECT CAST((100 * n + s.ms) * ids.ms AS INTEGER), 0, is_in, pid + thread, state, NULL FROM step, ids, switches s
  ORDER BY 1;
CREATE TEMP TABLE waits (thread, start, end, name, chain);
INSERT INTO waits VALUES (100, 50, 70, 30, 1), (101, 0, 50, 30, 2), (101, 68, 100, 30, 2);
INSERT INTO OSRT_API
  SELECT (100 * n + w.start) * ms, (100 * n + w.end) * ms, 27, pid + thread, 0, name, 0, 0, chain FROM step, ids, waits w
  UNION ALL SELECT 0, 1000 * ms, 27, pid + 102, 0, 31, 0, 0, 3 FROM ids;
INSERT INTO OSRT_CALLCHAINS (id, symbol, module, originalIP, stackDepth) VALUES (1, 14, 20, 64, 0), (1, 11, 20, 65, 1),
  (2, 13, 20, 66, 0), (3, 13, 20, 67, 0);
-- A sample each ms of running, at another instruction each time; its stack is that of the id's last three digits.
CREATE TEMP TABLE runs (thread, start, end, stack);
INSERT INTO runs VALUES (100, 0, 50, 1), (100, 70, 72, 3), (101, 50, 68, 2), (103, 1, 99, 2);
INSERT INTO COMPOSITE_EVENTS
  SELECT ((100 * n + t.ms) * 1000 + thread) * 1000 + stack, CAST((100 * n + t.ms + 0.5) * ids.ms AS INTEGER), 0, 1, pid + thread, 1
  FROM step, ids, runs, tick t WHERE t.ms >= runs.start AND t.ms < runs.end;
CREATE TEMP TABLE stacks (stack, depth, symbol, module, is_kernel, is_special);
INSERT INTO stacks VALUES (1, 0, 24, 22, 1, 0), (1, 1, 15, 21, 0, 0), (1, 2, 10, 20, 0, 0), (1, 3, 11, 20, 0, 0), (1, 4, 23, 23, 0, 1),
  (2, 0, 12, 20, 0, 0), (2, 1, 13, 20, 0, 0), (3, 0, 11, 20, 0, 0);
INSERT INTO SAMPLING_CALLCHAINS
  SELECT id, symbol, module, is_kernel, 0, NULL, is_special, 4096 + id % 100, 0, depth FROM COMPOSITE_EVENTS JOIN stacks ON id % 1000 = stack;
