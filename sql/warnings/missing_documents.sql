-- How many relevant documents of each judgment set are not among the documents of its
-- dataset, and of how many queries none is; of how many, and an example.
with relevant as (
    select
        judgment_sets.name, judgments.query_id, judgments.doc_id,
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

judged_ids as (
    select
        name, is_missing,
        unnest(['relevant document', 'query']) as noun,
        unnest([doc_id, query_id]) as id
    from relevant
),

ids as (
    select
        name, noun, id,
        bool_and(is_missing) as is_missing
    from judged_ids
    group by all
)

select
    ids.name as judgment_set,
    count_if(ids.is_missing) || ' of ' || count(*)
    || case
        when ids.noun = 'query' then if(count(*) = 1, ' query', ' queries')
        else if(count(*) = 1, ' relevant document', ' relevant documents')
    end
    || if(count_if(ids.is_missing) = 1, ' is ', ' are ')
    || case
        when ids.noun = 'query' then 'without a relevant document among these'
        else 'not among the documents of the dataset'
    end as what,
    min(ids.id) filter (where ids.is_missing) as example
from ids
group by ids.name, ids.noun
having count_if(ids.is_missing) > 0
order by ids.name asc, ids.noun desc
