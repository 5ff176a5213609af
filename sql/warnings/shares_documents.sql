-- Whether a run or a judgment set of a dataset has one of the staged documents, or with
-- stored ones, of those of the dataset.
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

),

described as (

    select staged.doc_id

    from staged

    union all

    select documents.doc_id

    from documents

    where
        documents.dataset = $dataset
        and $with_stored

)

select exists(

    select own.doc_id

    from own

    semi join described using (doc_id)

) as is_shared
