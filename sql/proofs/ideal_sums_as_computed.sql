-- judgment set {judgment_set}: table ideal_sums differs from view computed_ideal_sums in
-- {row_count} rows; remove the judgment set, and load it again
with compared as (
    select
        *,
        1 as side
    from ideal_sums
    semi join evaluations using (judgment_set_id)
    union all by name
    select
        *,
        -1 as side
    from computed_ideal_sums
    semi join evaluations using (judgment_set_id)
),

differing as (
    select judgment_set_id, measure, query_id, total
    from compared
    group by all
    having sum(side) <> 0
)

select
    judgment_set_id,
    count(*) as row_count
from differing
group by judgment_set_id
order by judgment_set_id
