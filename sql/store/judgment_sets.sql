insert into judgment_sets by name
select
    $judgment_set_id as judgment_set_id,
    $dataset as dataset,
    $name as name,
    $source as source,
    $content_hash as content_hash,
    cast($loaded_at as timestamp) as loaded_at,
    count(distinct judgments.query_id) as query_count,
    count(*) as judgment_count,
    $policy as policy
from judgments
where judgments.judgment_set_id = $judgment_set_id
