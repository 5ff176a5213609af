-- The text behind the ids of judged documents, of which the documents of the relation
-- ranked look like chunks: that of the most, with one of them and its document.
with marks as (
    select unnest(['#', '::', '_', '-', ':', '/', '.', '|', '_chunk_', '-chunk-']) as mark
)

select
    mark as unit_before,
    min(ranked.doc_id) as own,
    arg_min(judgments.doc_id, ranked.doc_id) as judged
from ranked
inner join marks on contains(ranked.doc_id, mark)
inner join judgments
    on
        ranked.query_id = judgments.query_id
        and judgments.doc_id = regexp_extract(ranked.doc_id, '(?s)^(.+)' || regexp_escape(mark), 1)
        and judgment_set_id = $judgment_set_id
group by mark
order by count(distinct ranked.doc_id) desc, mark asc
limit 1
