-- One row is the value of NERR8 to NERR11 for a list, the gain per document looked at of a reader
-- whom a document satisfies with the probability that is its gain, and of whom else a share goes
-- on: all (NERR8), i / (i + 1), p, or that of INSQ (Azzopardi et al. 2021). looks is how often a
-- reader whom nothing satisfies looks at a position.
with looks as (
    select
        measure, position, depth,
        case family
            when 'NERR8' then 1
            when 'NERR9' then 1 / position
            when 'NERR10' then power(p, position - 1)
            else power(2 * t / (2 * t + position - 1), 2)
        end as looks
    from settings
    inner join positions on position <= depth
    where family in ('NERR8', 'NERR9', 'NERR10', 'NERR11')
),

looks_down as (
    select
        *,
        cast(sum(cast(looks as decimal(38, 30))) over down as double) as looks_so_far
    from looks
    window down as (partition by measure order by position)
),

readers as (
    select
        list_id, judgment_set_id, query_id, measure, position, gain, looks, looks_so_far,
        if(
            max(gain) over above = 1,
            0,
            coalesce(
                exp(cast(
                    sum(cast(ln(nullif(1 - gain, 0)) as decimal(38, 30))) over above as double
                )),
                1
            )
        ) as reach
    from terms
    inner join looks_down using (measure, position)
    window above as (
        partition by list_id, judgment_set_id, query_id, measure
        order by position rows between unbounded preceding and 1 preceding
    )
)

select
    'run' as side,
    list_id, judgment_set_id, query_id, readers.measure,
    sum_in_order(gain * reach * readers.looks, readers.position)
    / (
        sum_in_order(gain * reach * readers.looks_so_far, readers.position)
        + min((1 - gain) * reach) * max(ends.looks_so_far)
    ) as total,
    null as best,
    null as found
from readers
inner join looks_down as ends on readers.measure = ends.measure and ends.position = ends.depth
group by list_id, judgment_set_id, query_id, readers.measure
