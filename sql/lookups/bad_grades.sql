-- The highest grade of a judgment set that is above the highest grade that a
-- measure expects.
select
    judgment_sets.name,
    judgments.grade,
    measures.measure

from judgments

inner join judgment_sets
    on judgments.judgment_set_id = judgment_sets.judgment_set_id

inner join measures
    on judgments.grade > measures.max_rel

where
    judgments.judgment_set_id = $judgment_set_id
    and measures.family in ('ERR', 'nERR')

order by judgments.grade desc

limit 1
