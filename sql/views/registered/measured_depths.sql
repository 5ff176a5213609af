-- One row is a registered measure that looks at positions down to a depth, even
-- if no run is as deep.
select
    scaled_measures.measure,
    scaled_measures.depth

from scaled_measures

where scaled_measures.depth is not null

union all

select
    subtopic_measures.measure,
    subtopic_measures.cutoff as depth

from subtopic_measures

where subtopic_measures.family in ('alpha_DCG', 'ERR_IA')
