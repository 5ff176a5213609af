-- One row is a staged document that is stored with another title or address.
select
    staged.line_number, staged.doc_id,
    case when staged.title <> documents.title then 'title' else 'url' end as column_name
from staged
inner join documents using (doc_id)
where
    documents.dataset = $dataset
    and (staged.title <> documents.title or staged.url <> documents.url)
order by staged.line_number
limit 1
