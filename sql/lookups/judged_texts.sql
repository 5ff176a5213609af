-- The judged documents of a judgment set as one text: query ids and document ids,
-- each of which ends with NUL, which no id contains.
select
    string_agg(concat(judgments.query_id, chr(0), judgments.doc_id, chr(0)), '') as judged_texts
from judgments
where judgments.judgment_set_id = $judgment_set_id
