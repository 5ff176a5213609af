-- One row is a document in a run's ranking that adds terms to the value of a
-- measure of subtopics, with their sum. subtopics are those that it gains for,
-- each with its gain (see subtopic_terms).
select
    subtopic_terms.run_id,
    subtopic_terms.judgment_set_id,
    subtopic_terms.query_id,
    subtopic_terms.measure,
    subtopic_terms.position,
    string_agg(
        subtopic_terms.subtopic
        || ' ('
        || cast(round(subtopic_terms.gain, 4) as varchar)
        || ')',
        ', '
        order by subtopic_terms.subtopic
    ) as subtopics,
    sum(subtopic_terms.gain order by subtopic_terms.subtopic) as gain,
    sum(subtopic_terms.term order by subtopic_terms.subtopic) as term

from subtopic_terms

where subtopic_terms.gain > 0

group by
    subtopic_terms.run_id,
    subtopic_terms.judgment_set_id,
    subtopic_terms.query_id,
    subtopic_terms.measure,
    subtopic_terms.position
