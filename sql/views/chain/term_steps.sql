-- One row is a document of a run's list under a measure, judged or not, with what it adds to the
-- value and the sum of the terms down to it. Relevant documents that the list lacks follow without
-- a position, where the value is a share of all of them.
with listed_documents as (
    select run_id, judgment_set_id, query_id, measure, known, doc_id, position
    from evaluated_queries
    inner join listed_rankings using (run_id, query_id)
    inner join settings using (known)
    where not judged_only and position <= depth
    union all
    select run_id, judgment_set_id, query_id, measure, known, doc_id, position
    from lists
    inner join settings using (known, judged_only)
    where judged_only and position <= depth
),

added as (
    select
        list_id as run_id,
        judgment_set_id, query_id, measure, position,
        if(any_value(subtopic) is null, max(found), null) as found_so_far,
        max(if(gain_scheme = 'satisfaction', gain, null)) as satisfaction,
        max(reach) as reach,
        string_agg(subtopic || ' (' || round(term, 4) || ')', ', ' order by subtopic) as subtopics,
        sum_in_order(term, coalesce(subtopic, '')) as term
    from terms
    where side = 'run' and relation is null and term is not null
    group by all
),

summed as (
    select
        *,
        list_sum(list(term) over down) as term_sum
    from added
    window down as (
        partition by run_id, judgment_set_id, query_id, measure
        order by position rows between unbounded preceding and current row
    )
),

missing as (
    select run_id, judgment_set_id, query_id, measure, known, judged_documents.doc_id
    from evaluated_queries
    inner join judged_documents using (judgment_set_id, query_id)
    inner join settings using (known)
    inner join grade_gains using (judgment_set_id, grade, basis)
    anti join listed_documents
        using (run_id, judgment_set_id, query_id, measure, doc_id)
    where gain > 0 and family in ($families_of_relevant)
),

placed as (
    select
        run_id, judgment_set_id, query_id, measure, known, doc_id, position,
        found_so_far, satisfaction, reach, subtopics, term,
        coalesce(last_value(term_sum ignore nulls) over down, 0) as term_sum
    from listed_documents
    left join summed using (run_id, judgment_set_id, query_id, measure, position)
    window down as (
        partition by run_id, judgment_set_id, query_id, measure
        order by position rows between unbounded preceding and current row
    )
)

select * from placed
union all by name
select
    *,
    0 as term
from missing
