-- utility: a weighted sum of document counts, with weight a for relevant
-- documents that were returned, b for others that were returned, c for relevant
-- documents that were not returned and d for others among the docs documents of
-- the collection (Lewis 1996, TREC filtering track). An unanswered query counts
-- 0.
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.retrieved = 0 then 0
        else
            measures.a * relevance_counts.found
            + measures.b * (relevance_counts.listed - relevance_counts.found)
            + measures.c * (relevance_counts.relevant - relevance_counts.found)
            + measures.d
            * (
                measures.docs
                + relevance_counts.found
                - relevance_counts.listed
                - relevance_counts.relevant
            )
    end as value,
    false as nothing_relevant

from relevance_counts

inner join measures using (measure)

where relevance_counts.family = 'utility'
