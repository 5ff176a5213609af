-- How many documents of queries were shown about as often, and how many of them
-- are judged.
insert into click_bands by name
with powers as (
    select
        *,
        cast(power(10, len(cast(impressions as varchar)) - 1) as bigint) as power_of_ten
    from clicked
),

bands as (
    select
        *,
        power_of_ten
        * case
            when impressions >= 5 * power_of_ten then 5
            when impressions >= 2 * power_of_ten then 2
            else 1
        end as least_impressions
    from powers
)

select
    $judgment_set_id as judgment_set_id,
    least_impressions,
    count(*) as shown_documents,
    count(fraction) filter (where impressions >= $min_impressions) as graded_documents,
    sum(clicks order by clicks) as clicks
from bands
group by least_impressions
order by least_impressions
