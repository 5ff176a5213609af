-- One row is a judged document as some measure sees the judgments: all of them
-- (known is keep), or (omit) those of documents that the query does not know.
select
    judgments.judgment_set_id,
    judgments.query_id,
    judgments.doc_id,
    'keep' as known,
    judgments.grade

from judgments

union all

select
    new_judgments.judgment_set_id,
    new_judgments.query_id,
    new_judgments.doc_id,
    'omit' as known,
    new_judgments.grade

from new_judgments
