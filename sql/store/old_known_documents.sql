-- What was known of the staged queries and documents is deleted first.
delete from known_documents
where
    known_documents.dataset = $dataset
    and (known_documents.query_id, known_documents.doc_id) in (
        select (staged.query_id, staged.doc_id)
        from staged
    )
