-- As graphs.sql, but both launches are of one graph: CUDA orders them, and how is not followed.
-- Base: races/graphs.sql
UPDATE calls SET object = 800 WHERE object = 801;
-- Found:
2 of 2 graph launches not judged: one graph was launched in several streams
