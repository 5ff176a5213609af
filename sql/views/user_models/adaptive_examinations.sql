-- One row is a document that gains something under INST. The want at a position
-- is the number of positions above plus 2T, minus the gains so far: want_before
-- without the gain of the document, want_after with it. Examinations are in
-- inverse proportion to the square of the want: scale_before / want^2 down to
-- the document, scale_after / want^2 below it.
with gained as (

    select
        scaled_gains.run_id,
        scaled_gains.judgment_set_id,
        scaled_gains.query_id,
        scaled_gains.measure,
        scaled_gains.position,
        scaled_gains.gain,
        scaled_measures.t,
        scaled_measures.depth,
        -- A sum of decimals is the same in any order.
        cast(
            sum(cast(scaled_gains.gain as decimal(38, 30))) over (
                partition by
                    scaled_gains.run_id,
                    scaled_gains.judgment_set_id,
                    scaled_gains.query_id,
                    scaled_gains.measure
                order by scaled_gains.position
                rows between unbounded preceding and current row
            ) as double
        ) as gain_sum

    from scaled_gains

    inner join scaled_measures using (measure)

    where scaled_gains.family = 'INST'

),

wants as (

    select
        gained.run_id,
        gained.judgment_set_id,
        gained.query_id,
        gained.measure,
        gained.position,
        gained.gain,
        gained.t,
        gained.depth + 2 * gained.t - gained.gain_sum as want_at_end,
        gained.position - 1 + 2 * gained.t - gained.gain_sum + gained.gain
            as want_before,
        gained.position - 1 + 2 * gained.t - gained.gain_sum as want_after

    from gained

),

scales as (

    select
        wants.run_id,
        wants.judgment_set_id,
        wants.query_id,
        wants.measure,
        wants.position,
        wants.gain,
        wants.t,
        wants.want_at_end,
        wants.want_before,
        wants.want_after,
        -- The product of the squares by which wants shrank above, as a sum of
        -- logarithms; it is 0 after a want of 0, because no reader goes on from
        -- there.
        4 * wants.t * wants.t
        * case
            when min(abs(wants.want_after)) over positions_above = 0 then 0
            else
                coalesce(
                    exp(
                        2 * cast(
                            sum(
                                cast(
                                    case
                                        when wants.want_after <> 0
                                            then
                                                ln(
                                                    abs(wants.want_after)
                                                    / wants.want_before
                                                )
                                    end as decimal(38, 30)
                                )
                            ) over positions_above as double
                        )
                    ),
                    1
                )
        end as scale_before

    from wants

    window positions_above as (
        partition by
            wants.run_id,
            wants.judgment_set_id,
            wants.query_id,
            wants.measure
        order by wants.position
        rows between unbounded preceding and 1 preceding
    )

)

select
    scales.run_id,
    scales.judgment_set_id,
    scales.query_id,
    scales.measure,
    scales.position,
    scales.gain,
    scales.t,
    scales.want_at_end,
    scales.want_before,
    scales.want_after,
    scales.scale_before,
    scales.scale_before * power(scales.want_after / scales.want_before, 2)
        as scale_after

from scales
