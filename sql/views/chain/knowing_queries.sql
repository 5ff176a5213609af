-- One row is how many queries of a dataset know any document.
select
    dataset,
    count(distinct query_id) as knowing
from known_documents
group by all
