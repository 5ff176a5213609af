-- One row is the best that is possible for a judged query under a measure that
-- is a share of it, once some holes of a run are filled with documents of the
-- largest grade: the sum of the ideal ranking, or the relevant documents.
with fillings as (

    select distinct
        hole_sums.run_id,
        hole_sums.judgment_set_id,
        hole_sums.query_id,
        hole_sums.measure,
        hole_sums.filled

    from hole_sums

    where hole_sums.family in ('nDCG', 'nCG')

    union

    -- A document that the run does not return.
    select
        evaluated_queries.run_id,
        evaluated_queries.judgment_set_id,
        evaluated_queries.query_id,
        best_gains.measure,
        1 as filled

    from evaluated_queries

    inner join best_gains
        on evaluated_queries.judgment_set_id = best_gains.judgment_set_id

    where best_gains.family in ('nDCG', 'nCG')

),

-- The documents of the largest grade come first; all others move down.
moved_down as (

    select
        fillings.run_id,
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure,
        fillings.filled,
        sum(
            ideal_rankings.gain / place_discounts.discount
            order by ideal_rankings.position
        ) as added

    from fillings

    inner join gain_measures
        on fillings.measure = gain_measures.measure

    inner join ideal_rankings
        on
            fillings.judgment_set_id = ideal_rankings.judgment_set_id
            and fillings.query_id = ideal_rankings.query_id
            and gain_measures.gain_scheme = ideal_rankings.gain_scheme
            and gain_measures.rel = ideal_rankings.rel

    inner join place_discounts
        on
            fillings.measure = place_discounts.measure
            and fillings.filled + ideal_rankings.position
            = place_discounts.place

    group by
        fillings.run_id,
        fillings.judgment_set_id,
        fillings.query_id,
        fillings.measure,
        fillings.filled

)

select
    fillings.run_id,
    fillings.judgment_set_id,
    fillings.query_id,
    fillings.measure,
    fillings.filled,
    best_gains.gain * place_discounts.discount_sum
    + coalesce(moved_down.added, 0) as best

from fillings

inner join best_gains
    on
        fillings.judgment_set_id = best_gains.judgment_set_id
        and fillings.measure = best_gains.measure

inner join place_discounts
    on
        fillings.measure = place_discounts.measure
        and least(fillings.filled, coalesce(best_gains.cutoff, fillings.filled))
        = place_discounts.place

left join moved_down
    on
        fillings.run_id = moved_down.run_id
        and fillings.judgment_set_id = moved_down.judgment_set_id
        and fillings.query_id = moved_down.query_id
        and fillings.measure = moved_down.measure
        and fillings.filled = moved_down.filled
