-- One row is a judged document in a run's ranking, for a measure of relevant
-- documents. It has the number of relevant documents above it, of documents
-- judged not relevant, and of documents with a negative grade (in the pool but
-- not judged).
select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    relevance_measures.measure,
    relevance_measures.family,
    listed_hits.position,
    listed_hits.grade >= 0
    and listed_hits.grade >= relevance_measures.rel as is_relevant,
    coalesce(
        sum(
            case
                when
                    listed_hits.grade >= 0
                    and listed_hits.grade >= relevance_measures.rel
                    then 1
                else 0
            end
        ) over places_above,
        0
    ) as relevant_above,
    coalesce(
        sum(
            case
                when
                    listed_hits.grade >= 0
                    and listed_hits.grade < relevance_measures.rel
                    then 1
                else 0
            end
        ) over places_above,
        0
    ) as not_relevant_above,
    coalesce(
        sum(case when listed_hits.grade < 0 then 1 else 0 end)
            over places_above,
        0
    ) as negative_above

from listed_hits

inner join relevance_measures using (judged_only, known)

window places_above as (
    partition by
        listed_hits.run_id,
        listed_hits.judgment_set_id,
        listed_hits.query_id,
        relevance_measures.measure,
        relevance_measures.family
    order by listed_hits.position
    rows between unbounded preceding and 1 preceding
)
