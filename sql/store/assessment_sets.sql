insert into assessment_sets by name
select
    $assessment_set_id as assessment_set_id,
    $dataset as dataset,
    $name as name,
    $source as source,
    $content_hash as content_hash,
    cast($loaded_at as timestamp) as loaded_at,
    count(distinct assessments.query_id) as query_count,
    count(*) as assessment_count,
    $assessor_kind as assessor_kind,
    $model as model,
    $prompt as prompt,
    $cost as judging_cost,
    $seconds as judging_seconds
from assessments
where assessments.assessment_set_id = $assessment_set_id
