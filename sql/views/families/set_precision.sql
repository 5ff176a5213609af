-- SetP: the share of relevant documents among all returned documents;
-- relative=true divides it by the highest share that a ranking of that length
-- can reach (van Rijsbergen 1979, Information Retrieval).
select
    relevance_counts.run_id,
    relevance_counts.judgment_set_id,
    relevance_counts.query_id,
    relevance_counts.measure,
    relevance_counts.retrieved,
    case
        when relevance_counts.listed = 0 or relevance_counts.relevant = 0
            then 0
        when measures.relative
            then
                relevance_counts.found
                / least(relevance_counts.listed, relevance_counts.relevant)
        else relevance_counts.found / relevance_counts.listed
    end as value,
    relevance_counts.relevant = 0 as nothing_relevant

from relevance_counts

inner join measures using (measure)

where relevance_counts.family = 'SetP'
