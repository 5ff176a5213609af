-- utility: the sum of what documents are worth, a for each relevant one that
-- was returned and b for each other that was, c for each relevant one that was
-- not returned and d for each other of the docs documents of the collection
-- (Lewis 1996, TREC filtering track). A query without an answer counts 0.
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
    false as no_relevant

from relevance_counts

inner join measures
    on relevance_counts.measure = measures.measure

where relevance_counts.family = 'utility'
