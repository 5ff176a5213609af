-- One row is the sum of the terms of a list, in the order of positions; of ideal lists that all
-- runs share, as stored. best is the greatest term. Measures that are more than a sum of terms have
-- relations of their own.
select
    side, list_id, judgment_set_id, query_id, measure,
    $total as total,
    max(term) as best,
    max(found) as found
from terms
where
    family in ($families_of_terms)
    and case
        when side = 'run' then relation is null
        else
            list_id <> 0
            or (judgment_set_id, measure) not in (
                select distinct judgment_set_id, measure from ideal_sums
            )
    end
group by all
union all
select
    'ideal' as side,
    0 as list_id,
    judgment_set_id, query_id, measure, total,
    null as best,
    null as found
from ideal_sums
union all
select * from eleven_points
union all
select * from bpm_sums
union all
select * from nerr_sums
union all
select * from running_shares
union all
select * from inst_sums
union all
select * from compatibilities
union all
select * from diversities
