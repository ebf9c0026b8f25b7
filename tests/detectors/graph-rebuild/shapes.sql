-- Near-miss: as steps.sql, but each graph has another kernel in it: none can be updated to another one.
-- Base: graph-rebuild/steps.sql
INSERT INTO strings SELECT 50 + id, '_Z4work' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 50 + id WHERE kind = 1;
-- Found:
wall 96 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 96 ms
not seen: sync-in-loop: 4 16
