-- One row is a registered measure that divides documents into relevant ones
-- (grade at or above rel) and others.
select
    measures.measure,
    measures.family,
    measures.cutoff,
    measures.rel,
    -- Counts take no such option.
    coalesce(measures.judged_only, false) as judged_only

from measures

where
    measures.dcg is null
    and measures.rel is not null
