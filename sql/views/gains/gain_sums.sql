-- One row is a judged query of an evaluation under a measure of the gain
-- family: the sums of the gains of the run and of the ideal ranking, plain and
-- discounted.
select
    listed_queries.run_id,
    listed_queries.run,
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

inner join gain_measures using (judged_only, known)

left join gain_prefixes as actual
    on
        listed_queries.run_id = actual.run_id
        and listed_queries.run = actual.run
        and listed_queries.judgment_set_id = actual.judgment_set_id
        and listed_queries.query_id = actual.query_id
        and gain_measures.list_measure = actual.list_measure
        and gain_measures.depth >= actual.position
        and gain_measures.depth <= actual.last_depth
        and actual.part = 'run'

left join gain_prefixes as ideal
    on
        listed_queries.run_id = ideal.run_id
        and listed_queries.run = ideal.run
        and listed_queries.judgment_set_id = ideal.judgment_set_id
        and listed_queries.query_id = ideal.query_id
        and gain_measures.list_measure = ideal.list_measure
        and gain_measures.ideal_depth >= ideal.position
        and gain_measures.ideal_depth <= ideal.last_depth
        and ideal.part = 'ideal'
