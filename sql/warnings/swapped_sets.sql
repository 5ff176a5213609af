-- Whether two judgment sets have no query in common, but queries of each are documents
-- of the other.
with old as (
    select
        judgments.query_id, judgments.doc_id
    from judgments
    where judgments.judgment_set_id = $old_id
),

new as (
    select
        judgments.query_id, judgments.doc_id
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
)

select
    not exists (from new semi join old on new.query_id = old.query_id)
    and exists (from new semi join old on new.doc_id = old.query_id)
    and exists (from new semi join old on new.query_id = old.doc_id) as are_swapped
