-- One row is a judged document at its position in the ideal ranking of its
-- query. The ideal ranking has the documents with a gain above 0, in descending
-- order of gain. Filter by gain_scheme and rel: each combination that a
-- registered measure uses has its own ideal rankings. Measures that take known
-- documents out have ideal rankings without these (see ndcg_steps).
with used as (

    select distinct
        fitting_measures.judgment_set_id,
        gain_measures.gain_scheme,
        gain_measures.rel

    from store.fitting_measures

    inner join store.gain_measures using (measure)

)

select
    ideal_rankings.dataset,
    ideal_rankings.judgment_set,
    ideal_rankings.query_id,
    ideal_rankings.gain_scheme,
    ideal_rankings.rel,
    cast(ideal_rankings.position as integer) as position,
    ideal_rankings.doc_id,
    ideal_rankings.grade,
    ideal_rankings.gain,
    ideal_rankings.judgment_set_id

from store.ideal_rankings

inner join used using (judgment_set_id, gain_scheme, rel)

where ideal_rankings.known = 'keep'
