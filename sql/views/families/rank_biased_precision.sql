-- RBP@k, rank-biased precision: the gain of a reader who goes on to the next
-- document with probability p (Moffat & Zobel 2008, ACM TOIS 27(1)).
with gained as (

    select
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure,
        sum(
            power(measures.p, relevant_hits.position - 1)
            order by relevant_hits.position
        )
        * (1 - max(measures.p)) as gain_sum

    from relevant_hits

    inner join measures using (measure)

    where relevant_hits.family = 'RBP'

    group by
        relevant_hits.run_id,
        relevant_hits.judgment_set_id,
        relevant_hits.query_id,
        relevant_hits.measure

)

select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    coalesce(gained.gain_sum, 0) as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

left join gained using (run_id, judgment_set_id, query_id, measure)

where relevance_counts.family = 'RBP'
