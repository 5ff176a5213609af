-- One row is a number of holes of a run, counted from the top, that hold
-- documents with a certain gain or more: what this step up from the next lower
-- gain adds to the run's sum, and what the whole step makes of the ideal's.
-- Both sums are made of such steps, so that the highest share can be found
-- step by step (see value_ceilings).
with fillings as (

    select
        hole_sums.run_id,
        hole_sums.judgment_set_id,
        hole_sums.query_id,
        hole_sums.measure,
        hole_sums.filled,
        hole_sums.added / best_gains.gain as weight

    from hole_sums

    inner join best_gains
        on
            hole_sums.judgment_set_id = best_gains.judgment_set_id
            and hole_sums.measure = best_gains.measure

    where
        hole_sums.family in ('nDCG', 'nCG')
        and hole_sums.from_top
        and hole_sums.is_within

    union all

    select
        evaluated_queries.run_id,
        evaluated_queries.judgment_set_id,
        evaluated_queries.query_id,
        best_gains.measure,
        0 as filled,
        0 as weight

    from evaluated_queries

    inner join best_gains
        on evaluated_queries.judgment_set_id = best_gains.judgment_set_id

    where best_gains.family in ('nDCG', 'nCG')

)

select
    fillings.run_id,
    fillings.judgment_set_id,
    fillings.query_id,
    fillings.measure,
    gain_levels.gain,
    fillings.filled,
    gain_levels.step * fillings.weight as part,
    gain_levels.step * coalesce(place_discounts.discount_sum, 0) as best

from fillings

inner join gain_levels
    on
        fillings.judgment_set_id = gain_levels.judgment_set_id
        and fillings.query_id = gain_levels.query_id
        and fillings.measure = gain_levels.measure

inner join gain_measures
    on fillings.measure = gain_measures.measure

left join place_discounts
    on
        fillings.measure = place_discounts.measure
        and least(
            gain_levels.judged + fillings.filled,
            coalesce(
                gain_measures.cutoff, gain_levels.judged + fillings.filled
            )
        )
        = place_discounts.place
