-- Accuracy@k: the share of pairs in which the relevant document is above the
-- other one, among all pairs of a relevant document and one that is not
-- relevant, judged or not, in the first k. It is 1 if all of the first k
-- documents are relevant, and 0 if none is (MacAvaney et al. 2022,
-- ir-measures).
with below as (

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        sum(relevant_hits.position - relevant_hits.found) as wrong_pairs

    from relevant_hits

    where relevant_hits.family = 'Accuracy'

    group by
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure

),

counts as (

    select
        relevance_counts.run_id,
        relevance_counts.judgment_set_id,
        relevance_counts.query_id,
        relevance_counts.measure,
        relevance_counts.retrieved,
        relevance_counts.relevant,
        relevance_counts.found,
        least(
            coalesce(relevance_counts.cutoff, relevance_counts.listed),
            relevance_counts.listed
        )
        - relevance_counts.found as not_relevant

    from relevance_counts

    where relevance_counts.family = 'Accuracy'

)

select
    counts.run_id,
    counts.judgment_set_id,
    counts.query_id,
    counts.measure,
    counts.retrieved,
    case
        when counts.found = 0 then 0
        when counts.not_relevant = 0 then 1
        else 1 - below.wrong_pairs / (counts.found * counts.not_relevant)
    end as value,
    counts.relevant = 0 as nothing_relevant

from counts

left join below using (run_id, judgment_set_id, query_id, measure)
