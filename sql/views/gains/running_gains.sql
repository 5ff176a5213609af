-- One row is a document that G or ndcg_rel looks at, in the ranking of the run
-- (part 'run') or in the ideal ranking (part 'ideal'). cg and dcg are the sums
-- of the gains down to it, plain and discounted; cost is the same sum of gains
-- where each counts at least 1. The last bits of a running sum of doubles would
-- depend on the other queries. Gains are therefore scaled by a power of two, so
-- that none is above 1, and added as decimals with 22 places, which add up
-- exactly.
with scaled as (

    select
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        gain_measures.measure,
        gain_measures.family,
        discounted_gains.part,
        discounted_gains.position,
        discounted_gains.gain,
        discounted_gains.discount,
        pow(2, ceil(log2(nullif(max(abs(discounted_gains.gain)) over (
            partition by
                discounted_gains.run_id,
                discounted_gains.judgment_set_id,
                discounted_gains.query_id,
                gain_measures.measure,
                gain_measures.family
        ), 0)))) as scale

    from discounted_gains

    inner join gain_measures using (list_measure)

    where
        gain_measures.family in ('G', 'ndcg_rel')
        and discounted_gains.part in ('run', 'ideal')

)

select
    scaled.run_id,
    scaled.judgment_set_id,
    scaled.query_id,
    scaled.measure,
    scaled.family,
    scaled.part,
    scaled.position,
    scaled.gain,
    scaled.scale
    * cast(
        sum(cast(scaled.gain / scaled.scale as decimal(38, 22)))
            over down_the_list
        as double
    ) as cg,
    scaled.scale
    * cast(
        sum(
            cast(
                scaled.gain / scaled.discount / scaled.scale
                as decimal(38, 22)
            )
        ) over down_the_list
        as double
    ) as dcg,
    greatest(scaled.scale, 1)
    * cast(
        sum(
            cast(
                greatest(scaled.gain, 1) / greatest(scaled.scale, 1)
                as decimal(38, 22)
            )
        ) over down_the_list
        as double
    ) as cost

from scaled

-- If no document gains anything, neither measure looks at the ranking.
where scaled.scale > 0

window down_the_list as (
    partition by
        scaled.run_id,
        scaled.judgment_set_id,
        scaled.query_id,
        scaled.measure,
        scaled.family,
        scaled.part
    order by scaled.position
    rows between unbounded preceding and current row
)
