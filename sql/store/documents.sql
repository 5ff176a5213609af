-- Documents that are not stored yet.
insert into documents (dataset, doc_id, title, url)
select
    $dataset as dataset,
    staged.doc_id,
    staged.title,
    staged.url

from staged

where staged.doc_id not in (
    select documents.doc_id
    from documents
    where documents.dataset = $dataset
)
