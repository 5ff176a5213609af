-- Staged rows that repeat a judgment of the base set are deleted.
delete from staged

using base_judgments

where
    staged.query_id = base_judgments.query_id
    and staged.doc_id = base_judgments.doc_id
    and base_judgments.grade >= 0
