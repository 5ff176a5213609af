-- The judgments that a new judgment set is built on.
create or replace temp table base_judgments as
select
    judgments.query_id,
    judgments.doc_id,
    judgments.grade,
    judgments.label

from judgments

where judgments.judgment_set_id = $base_id
