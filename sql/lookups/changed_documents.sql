-- One row is a staged document that is stored with another title or address.
select
    line_number, doc_id,
    if(staged.title <> documents.title, 'title', 'url') as column_name
from staged
inner join documents using (doc_id)
where dataset = $dataset and (staged.title <> documents.title or staged.url <> documents.url)
order by line_number
limit 1
