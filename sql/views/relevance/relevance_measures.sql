-- One row is a registered measure that divides documents into relevant ones
-- (grade at or above rel) and others. depth is the last position that counts;
-- without a cutoff, it is beyond all positions.
select
    measures.measure,
    measures.family,
    measures.cutoff,
    coalesce(measures.cutoff, 1000000000) as depth,
    measures.rel,
    -- Counts do not take this option.
    coalesce(measures.judged_only, false) as judged_only,
    measures.known

from measures

where
    measures.dcg_kind is null
    and measures.rel is not null
