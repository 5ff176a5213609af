-- One row is a document of a query under a measure (see term_steps), with its title and grade, and
-- the value of the query. If the value is a sum divided by something, divisor is that. A list
-- without documents has one row without a document.
select
    run_id, judgment_set_id, query_id, measure, position, doc_id, title, grade,
    found_so_far as found,
    satisfaction, reach, subtopics, term, term_sum,
    query_counts.total,
    $divisors as divisor,
    value, nothing_relevant
from (select * exclude (total, ideal_total) from computed_values) as valued
inner join query_counts using (run_id, judgment_set_id, query_id, measure)
inner join runs using (run_id)
left join term_steps using (run_id, judgment_set_id, query_id, measure, known)
left join judged_documents using (judgment_set_id, query_id, known, doc_id)
left join documents using (dataset, doc_id)
