-- judgment set {judgment_set}, query {query}: document {document} is judged
-- twice; remove the judgment set, and load it again
select
    judgment_set_id,
    query_id as query,
    doc_id as document
from judgments
group by all
having count(*) > 1
order by all
