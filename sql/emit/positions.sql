-- One row is a position, from 1 to 10000 or to the deepest of any run.
with digits as (
    select 0 as digit
    union all
    select 1 as digit
    union all
    select 2 as digit
    union all
    select 3 as digit
    union all
    select 4 as digit
    union all
    select 5 as digit
    union all
    select 6 as digit
    union all
    select 7 as digit
    union all
    select 8 as digit
    union all
    select 9 as digit
),

places as (
    select
        cast(
            1 + ones.digit + 10 * tens.digit + 100 * hundreds.digit
            + 1000 * thousands.digit
            as bigint
        ) as position
    from digits as ones
    cross join digits as tens
    cross join digits as hundreds
    cross join digits as thousands
    union all
    select rankings.position
    from rankings
)

select distinct places.position
from places
