-- A title or an address that is not known yet; one that is known is the same.
update documents
set
    title = coalesce(documents.title, staged.title),
    url = coalesce(documents.url, staged.url)
from staged
where
    documents.dataset = $dataset
    and documents.doc_id = staged.doc_id
    and (
        (documents.title is null and staged.title is not null)
        or (documents.url is null and staged.url is not null)
    )
