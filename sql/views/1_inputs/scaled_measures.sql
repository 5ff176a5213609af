-- One row is a registered measure that scales grades to 0 … 1 (min_rel …
-- max_rel; grades outside are taken for the nearer of the two): SDCG, BPM,
-- INSQ, INST and NERR8 to NERR11. depth is the last position that counts: the
-- cutoff, or 1000, where the authors' program cwl-eval ends its lists.
select
    measures.measure,
    measures.family,
    coalesce(measures.cutoff, 1000) as depth,
    measures.judged_only,
    measures.p,
    measures.t,
    measures.min_rel,
    measures.max_rel

from measures

where measures.min_rel is not null
