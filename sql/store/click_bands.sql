-- How many documents of queries were shown about as often, and how many of them
-- are judged.
insert into click_bands by name
with powers as (
    select
        clicked.*,
        cast(power(10, len(cast(clicked.impressions as varchar)) - 1) as bigint) as power_of_ten
    from clicked
),

bands as (
    select
        powers.*,
        powers.power_of_ten
        * case
            when powers.impressions >= 5 * powers.power_of_ten then 5
            when powers.impressions >= 2 * powers.power_of_ten then 2
            else 1
        end as least_impressions
    from powers
)

select
    $judgment_set_id as judgment_set_id,
    bands.least_impressions,
    count(*) as shown_documents,
    count(
        case when bands.impressions >= $min_impressions then bands.fraction end
    ) as graded_documents,
    sum(bands.clicks order by bands.clicks) as clicks
from bands
group by bands.least_impressions
order by bands.least_impressions
