-- The same rows: the sum of scores after the least is taken off (if all are equal,
-- how many they are), and the mean of the scores scaled from 0 to 1. Scaled scores
-- are added up as whole numbers of 2^-62 each: such a sum is exact, and the same in
-- whatever order threads add it. That of whole scores is then whole again.
with sums as (
    select
        place, query_id,
        sum(cast(
            if(greatest > least, (score - least) / (greatest - least), 0) * power(2, 62) as bigint
        )) / power(2, 62) as scaled,
        count(*) as length
    from fused_entries
    inner join source_rows using (place, query_id)
    group by place, query_id
)

select
    source_rows.*,
    if(greatest > least, scaled * (greatest - least), length) as total,
    scaled / length as mean
from source_rows
inner join sums using (place, query_id)
