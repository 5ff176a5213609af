-- One row is a document that a measure of the gain family looks at: the part
-- 'run' holds the judged documents that the run returned, 'ideal' the places
-- of the ideal ranking, and 'unjudged' the returned documents that gain
-- nothing because nobody judged them (only ndcg_steps shows those).
select
    run_gains.run_id,
    run_gains.judgment_set_id,
    run_gains.query_id,
    run_gains.measure,
    run_gains.family,
    'run' as part,
    run_gains.position,
    run_gains.doc_id,
    run_gains.gain

from run_gains

union all

select
    tied_gains.run_id,
    tied_gains.judgment_set_id,
    tied_gains.query_id,
    tied_gains.measure,
    tied_gains.family,
    'run' as part,
    positions.position,
    cast(null as varchar) as doc_id,
    tied_gains.gain

from tied_gains

inner join positions
    on
        tied_gains.tie_first <= positions.position
        and tied_gains.tie_last >= positions.position

union all

select
    listed_queries.run_id,
    listed_queries.judgment_set_id,
    listed_queries.query_id,
    gain_measures.measure,
    gain_measures.family,
    'ideal' as part,
    cast(ideal_rankings.position as integer) as position,
    ideal_rankings.doc_id,
    ideal_rankings.gain

from listed_queries

inner join ideal_rankings
    on
        listed_queries.judgment_set_id = ideal_rankings.judgment_set_id
        and listed_queries.query_id = ideal_rankings.query_id

inner join gain_measures
    on
        listed_queries.judged_only = gain_measures.judged_only
        and ideal_rankings.gain_scheme = gain_measures.gain_scheme
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
        or ideal_rankings.position <= listed_queries.listed
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
        not gain_measures.judged_only
        and (
            gain_measures.cutoff is null
            or rankings.position <= gain_measures.cutoff
        )

left join hits
    on
        evaluations.run_id = hits.run_id
        and evaluations.judgment_set_id = hits.judgment_set_id
        and rankings.query_id = hits.query_id
        and rankings.doc_id = hits.doc_id

where hits.doc_id is null
