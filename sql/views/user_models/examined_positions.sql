-- One row is a position under INSQ or NERR8 to NERR11. examination is how often
-- a reader whom no document above satisfied looks there, relative to the first
-- position. examination_sum is the sum down to the position, added as decimals
-- because their sum is the same in any order.
with examined as (

    select
        scaled_measures.measure,
        scaled_measures.family,
        scaled_measures.depth,
        positions.position,
        case
            when scaled_measures.family = 'NERR8' then 1
            when scaled_measures.family = 'NERR9' then 1 / positions.position
            when scaled_measures.family = 'NERR10'
                then power(scaled_measures.p, positions.position - 1)
            when scaled_measures.family in ('NERR11', 'INSQ')
                then
                    power(
                        2 * scaled_measures.t
                        / (2 * scaled_measures.t + positions.position - 1),
                        2
                    )
        end as examination

    from scaled_measures

    inner join positions
        on scaled_measures.depth >= positions.position

)

select
    examined.measure,
    examined.family,
    examined.depth,
    examined.position,
    examined.examination,
    cast(
        sum(cast(examined.examination as decimal(38, 30))) over (
            partition by
                examined.measure,
                examined.family
            order by examined.position
            rows between unbounded preceding and current row
        ) as double
    ) as examination_sum

from examined

where examined.examination is not null
