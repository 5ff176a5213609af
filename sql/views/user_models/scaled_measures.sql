-- One row is a registered measure that scales grades from min_rel … max_rel to
-- 0 … 1: SDCG, BPM, INSQ, INST and NERR8 to NERR11. A grade outside this range
-- counts as the nearer end. depth is the last position that counts: the cutoff,
-- or 1000 without one, where the authors' program cwl-eval ends its rankings.
select
    measures.measure,
    measures.family,
    coalesce(measures.cutoff, 1000) as depth,
    measures.judged_only,
    measures.known,
    measures.p,
    measures.t,
    measures.min_rel,
    measures.max_rel

from measures

where measures.min_rel is not null
