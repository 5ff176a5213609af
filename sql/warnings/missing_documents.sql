-- One row is a judgment set of which some relevant documents are not among the documents
-- of its dataset: how many of how many, and of how many queries none is there.
with relevant as (
    select
        judgments.judgment_set_id, judgments.query_id, judgments.doc_id,
        documents.doc_id is null as is_missing
    from judgments
    inner join judgment_sets using (judgment_set_id)
    left join documents
        on judgment_sets.dataset = documents.dataset and judgments.doc_id = documents.doc_id
    where
        judgment_sets.dataset = $dataset
        and list_contains($names, judgment_sets.name)
        and judgments.grade > 0
),

lost as (
    select
        judgment_set_id, query_id,
        bool_and(is_missing) as is_lost
    from relevant
    group by all
),

lost_queries as (
    select
        judgment_set_id,
        count_if(is_lost) as lost_count,
        count(*) as query_count,
        min(query_id) filter (where is_lost) as lost_query
    from lost
    group by all
)

select
    judgment_sets.name,
    count(distinct relevant.doc_id) filter (where relevant.is_missing) as missing_count,
    count(distinct relevant.doc_id) as document_count,
    min(relevant.doc_id) filter (where relevant.is_missing) as missing_document,
    lost_queries.lost_count, lost_queries.query_count, lost_queries.lost_query
from relevant
inner join judgment_sets using (judgment_set_id)
inner join lost_queries using (judgment_set_id)
group by all
having missing_count > 0
order by judgment_sets.name
