-- One row is a document that a measure of the gain family looks at: the part
-- 'run' holds the judged documents that the run returned, 'ideal' the places
-- of the ideal ranking, and 'unjudged' the returned documents that gain
-- nothing because nobody judged them (only ndcg_steps shows those).
select
    hits.run_id,
    hits.judgment_set_id,
    hits.query_id,
    gain_measures.measure,
    gain_measures.family,
    'run' as part,
    hits.position,
    hits.doc_id,
    hits.grade,
    grade_gains.gain

from hits

inner join gain_measures
    on
        gain_measures.cutoff is null
        or hits.position <= gain_measures.cutoff

inner join grade_gains
    on
        hits.judgment_set_id = grade_gains.judgment_set_id
        and hits.grade = grade_gains.grade
        and gain_measures.gain_scheme = grade_gains.gain_scheme
        and gain_measures.rel = grade_gains.rel

union all

select
    evaluated_queries.run_id,
    evaluated_queries.judgment_set_id,
    evaluated_queries.query_id,
    gain_measures.measure,
    gain_measures.family,
    'ideal' as part,
    cast(ideal_rankings.position as integer) as position,
    ideal_rankings.doc_id,
    ideal_rankings.grade,
    ideal_rankings.gain

from evaluated_queries

inner join ideal_rankings
    on
        evaluated_queries.judgment_set_id = ideal_rankings.judgment_set_id
        and evaluated_queries.query_id = ideal_rankings.query_id

inner join gain_measures
    on
        ideal_rankings.gain_scheme = gain_measures.gain_scheme
        and ideal_rankings.rel = gain_measures.rel

where
    gain_measures.ideal in ('judged', 'returned', 'uncut')
    and (
        gain_measures.cutoff is null
        or gain_measures.ideal = 'uncut'
        or ideal_rankings.position <= gain_measures.cutoff
    )
    and (
        gain_measures.ideal <> 'returned'
        or ideal_rankings.position <= evaluated_queries.retrieved
    )

union all

select
    retrieved_ideals.run_id,
    retrieved_ideals.judgment_set_id,
    retrieved_ideals.query_id,
    retrieved_ideals.measure,
    retrieved_ideals.family,
    'ideal' as part,
    cast(retrieved_ideals.position as integer) as position,
    retrieved_ideals.doc_id,
    retrieved_ideals.grade,
    retrieved_ideals.gain

from retrieved_ideals

inner join gain_measures
    on
        retrieved_ideals.measure = gain_measures.measure
        and retrieved_ideals.family = gain_measures.family

where
    gain_measures.cutoff is null
    or retrieved_ideals.position <= gain_measures.cutoff

union all

select
    evaluations.run_id,
    evaluations.judgment_set_id,
    rankings.query_id,
    gain_measures.measure,
    gain_measures.family,
    'unjudged' as part,
    rankings.position,
    rankings.doc_id,
    cast(null as double) as grade,
    0 as gain

from rankings

inner join evaluations
    on rankings.run_id = evaluations.run_id

inner join judged_queries
    on
        evaluations.judgment_set_id = judged_queries.judgment_set_id
        and rankings.query_id = judged_queries.query_id

inner join gain_measures
    on
        gain_measures.cutoff is null
        or rankings.position <= gain_measures.cutoff

left join hits
    on
        evaluations.run_id = hits.run_id
        and evaluations.judgment_set_id = hits.judgment_set_id
        and rankings.query_id = hits.query_id
        and rankings.doc_id = hits.doc_id

where hits.doc_id is null
