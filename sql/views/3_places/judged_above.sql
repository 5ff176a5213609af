-- One row is a judged document on a run's list, with how many relevant ones,
-- how many judged not relevant and how many in the pool that nobody judged (a
-- negative grade) stand above it, for a measure of relevant documents.
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

inner join relevance_measures
    on listed_hits.judged_only = relevance_measures.judged_only

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
