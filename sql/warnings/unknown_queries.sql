-- The described rows of queries that no run and no judgment set of a dataset
-- contains.
select
    staged.query_id, staged.line_number, staged.row_count
from described as staged
where
    staged.query_id not in (
        select run_queries.query_id
        from run_queries
        inner join runs using (run_id)
        where runs.dataset = $dataset
    )
    and staged.query_id not in (
        select judgments.query_id
        from judgments
        inner join judgment_sets using (judgment_set_id)
        where judgment_sets.dataset = $dataset
    )
