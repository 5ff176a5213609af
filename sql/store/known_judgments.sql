-- What a file repeats of the judgments that it is built on is no news.
delete from staged

using base_judgments

where
    staged.query_id = base_judgments.query_id
    and staged.doc_id = base_judgments.doc_id
    and base_judgments.grade >= 0
