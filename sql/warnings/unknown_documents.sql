-- One row, if no run and no judgment set of a dataset has one of the staged documents, or
-- with stored ones, of those of the dataset: how a sentence begins, one of the staged
-- documents, and one of the runs and judgment sets.
with described as (
    select doc_id from staged
    union all
    select doc_id from documents
    where dataset = $dataset and $with_stored
)

select
    case
        when count(distinct doc_id) = 1 then 'the ' || $noun || ' is in no run and no'
        else 'none of the ' || count(distinct doc_id) || ' ' || $noun || 's is in a run or'
    end as what,
    min(doc_id) as own,
    (select min(doc_id) from source_rows) as judged
from staged
having not exists (from source_rows semi join described using (doc_id))
