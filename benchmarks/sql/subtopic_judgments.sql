-- One row is a judged document ($judged names their file, see judgments.sql) and
-- a subtopic of its query. Its grade is that of the document for about a third of
-- the subtopics, and 0 for the others.
select
    judged.query_id,
    subtopics.subtopic,
    judged.doc_id,
    case
        when
            md5_number_lower(judged.doc_id || ' ' || subtopics.subtopic) % 3 = 0
            then judged.grade::integer
        else 0
    end as grade

from
    read_csv(
        $judged,
        delim = ' ',
        header = false,
        all_varchar = true,
        names = ['query_id', 'iteration', 'doc_id', 'grade']
    ) as judged

cross join range($subtopics) as subtopics (subtopic)
