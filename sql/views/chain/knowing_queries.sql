-- knowing_queries: how many queries of the dataset of a judgment set know any document.
select
    judgment_set_id,
    count(distinct query_id) as knowing
from known_documents
inner join judgment_sets using (dataset)
group by all
