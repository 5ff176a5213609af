-- One row is the value of INST for a list, the mean gain of a reader who expects T perfect
-- documents and wants less after each gain. With T(i) = T minus the gains down to i, the share ((i
-- + T + T(i) - 1) / (i + T + T(i)))^2 goes on below position i (Bailey et al. 2015). A sum of
-- decimals is the same in any order.
with wanting as (
    select
        lists.*,
        position,
        coalesce(gain, 0) as gain,
        position + 2 * t
        - cast(sum(cast(coalesce(gain, 0) as decimal(38, 30))) over down as double) as want
    from (
        select distinct list_id, judgment_set_id, query_id, measure, t, depth
        from terms
        where family = 'INST'
    ) as lists
    inner join positions on position <= depth
    left join terms
        using (list_id, judgment_set_id, query_id, measure, t, depth, position)
    window down as (
        partition by list_id, judgment_set_id, query_id, measure
        order by position rows between unbounded preceding and current row
    )
),

readers as (
    select
        *,
        if(
            bool_or(want = 1) over above,
            0,
            coalesce(
                exp(cast(
                    sum(cast(2 * ln(nullif(abs(want - 1), 0) / want) as decimal(38, 30))) over above
                    as double
                )),
                1
            )
        ) as looks
    from wanting
    window above as (
        partition by list_id, judgment_set_id, query_id, measure
        order by position rows between unbounded preceding and 1 preceding
    )
)

select
    'run' as side,
    list_id, judgment_set_id, query_id, measure,
    sum_in_order(gain * looks, position) / sum_in_order(looks, position) as total,
    null as best,
    null as found
from readers
group by all
