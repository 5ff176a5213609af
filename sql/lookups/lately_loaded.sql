-- One row is a set of assessments without times, with the number of documents whose
-- latest grade is one of its, as of when it was loaded, though another grade of
-- them differs: one that has a time, or one that has none either.
with timed as (
    select
        query_id,
        doc_id,
        name,
        assessed_at = loaded_at as is_untimed,
        not bool_and(assessed_at = loaded_at) over document as has_times,
        assessed_at = max(assessed_at) over document as is_latest,
        min(grade) over document < max(grade) over document as differ
    from assessor_grades
    inner join assessment_sets using (assessment_set_id)
    where assessor_grades.dataset = $dataset and grade >= 0
    window document as (partition by query_id, doc_id)
)

select
    name,
    has_times,
    count(distinct row(query_id, doc_id)) as document_count
from timed
where is_untimed and is_latest and differ
group by all
order by name, has_times
