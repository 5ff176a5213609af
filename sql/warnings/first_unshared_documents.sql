-- One of the staged documents, one of the runs and judgment sets of a dataset, and how
-- many different documents are staged.
with own as (

    select rankings.doc_id

    from rankings

    inner join runs using (run_id)

    where runs.dataset = $dataset

    union all

    select judgments.doc_id

    from judgments

    inner join judgment_sets using (judgment_set_id)

    where judgment_sets.dataset = $dataset

)

select
    min(staged.doc_id) as staged_document,
    (
        select min(own.doc_id)
        from own
    ) as own_document,
    count(distinct staged.doc_id) as document_count

from staged
