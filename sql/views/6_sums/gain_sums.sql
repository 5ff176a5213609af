-- One row is a judged query of an evaluation under a measure of the gain
-- family: the gains that the run and the ideal ranking collect, plain and
-- discounted. Terms are added in order of position, so that the last bits are
-- those of a sequential sum.
with actual as (

    select
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.measure,
        discounted_gains.family,
        sum(discounted_gains.gain order by discounted_gains.position) as cg,
        sum(
            discounted_gains.gain / discounted_gains.discount
            order by discounted_gains.position
        ) as dcg

    from discounted_gains

    where discounted_gains.part = 'run'

    group by
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.measure,
        discounted_gains.family

),

ideal as (

    select
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.measure,
        discounted_gains.family,
        sum(discounted_gains.gain order by discounted_gains.position) as cg,
        sum(
            discounted_gains.gain / discounted_gains.discount
            order by discounted_gains.position
        ) as dcg

    from discounted_gains

    where discounted_gains.part = 'ideal'

    group by
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.measure,
        discounted_gains.family

)

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    gain_measures.measure,
    gain_measures.family,
    listed_queries.retrieved,
    coalesce(actual.cg, 0) as cg,
    coalesce(actual.dcg, 0) as dcg,
    coalesce(ideal.cg, 0) as ideal_cg,
    coalesce(ideal.dcg, 0) as ideal_dcg

from listed_queries

inner join gain_measures
    on listed_queries.judged_only = gain_measures.judged_only

left join actual
    on
        listed_queries.run_id = actual.run_id
        and listed_queries.judgment_set_id = actual.judgment_set_id
        and listed_queries.query_id = actual.query_id
        and gain_measures.measure = actual.measure
        and gain_measures.family = actual.family

left join ideal
    on
        listed_queries.run_id = ideal.run_id
        and listed_queries.judgment_set_id = ideal.judgment_set_id
        and listed_queries.query_id = ideal.query_id
        and gain_measures.measure = ideal.measure
        and gain_measures.family = ideal.family
