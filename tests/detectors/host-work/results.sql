-- As prepare.sql, with a copy back in place of the kernel, which the host may prepare each batch from: doubtful,
-- 8 x 7 = 56 ms.
-- Base: scenes/host-steps.sql
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 0, NULL);
UPDATE operations SET kind = 2, copy_kind = 2, src_kind = 3, dst_kind = 2, size_bytes = 1000000, name_id = NULL
  WHERE kind = 1;
UPDATE calls SET function_id = 1, dst = 9000000, src = 50000000, size_bytes = 1000000 WHERE site_id = 41;
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
not seen: host-work: 8 56
