-- One row is a judged document of a query in a judgment set. A negative grade
-- means that the document was in the pool but was not judged. If the set names
-- subtopics, the grade is the largest of the document's (see
-- subtopic_judgments).
select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    judgments.judgment_set_id, judgments.query_id, judgments.doc_id, judgments.grade,
    judgments.label
from store.judgments
inner join store.judgment_sets using (judgment_set_id)
