insert into judgment_sets (
    judgment_set_id,
    dataset,
    name,
    source,
    content_hash,
    loaded_at,
    query_count,
    judgment_count
)
select
    $judgment_set_id,
    $dataset,
    $name,
    $source,
    $content_hash,
    cast($loaded_at as timestamp),
    count(distinct judgments.query_id),
    count(*)

from judgments

where judgments.judgment_set_id = $judgment_set_id
