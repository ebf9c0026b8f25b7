-- Behind tests/cli/nsys_host.sql: samples of Python, and a wait for its lock.
INSERT INTO StringIds VALUES (60, 'prepare'), (70, '/home/u/app/augment.py');
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT, globalTid INTEGER,
  endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, binaryData TEXT);
INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId)
  SELECT column1, column2, column3, column4, globalPid + 100, 5
  FROM PROCESSES, (VALUES (0, NULL, 75, 'Python Periodic Sampling'), (10000000, 45000000, 59, 'Waiting for GIL'));
INSERT INTO NVTX_EVENTS (start, eventType, globalTid, domainId, binaryData)
  SELECT column1, 34, globalPid + 100, 5, CAST(zeroblob(column2) ||
    X'00000000000000000100000001000000' || X'3C000000000000004600000000000000' || X'0700000000000000' AS BLOB)
  FROM PROCESSES, (VALUES (5000000, 32), (20000000, 0), (60000000, 32));
