-- Unjudged documents are deleted from the run.
delete from staged
where not exists (
    select 1
    from judgments
    where
        judgments.query_id = staged.query_id
        and judgments.doc_id = staged.doc_id
        and judgments.grade >= 0
)
