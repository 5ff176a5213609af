-- One row is a judgment set: what was loaded, and for one made of clicks what it
-- rests on. A list has an entry for each band of impressions, or for each position.
with grades as (
    select
        min(grade) as least_grade,
        max(grade) as greatest_grade
    from judgments
    where judgment_set_id = $judgment_set_id
),

bands as (
    select
        list(
            {
                'least_impressions': least_impressions,
                'shown_documents': shown_documents,
                'graded_documents': graded_documents,
                'clicks': clicks
            }
            order by least_impressions
        ) as impression_bands
    from click_bands
    where judgment_set_id = $judgment_set_id
),

positions_of_log as (
    select
        sum(best_documents) filter (position <= 3) as top_documents,
        sum(unclicked_documents) filter (position <= 3) as top_unclicked_documents,
        list(
            {
                'position': position,
                'impressions': impressions,
                'clicks': clicks,
                'click_rate': clicks / impressions,
                'best_documents': best_documents,
                'unclicked_documents': unclicked_documents
            }
            order by position
        ) as clicks_by_position
    from click_positions
    where judgment_set_id = $judgment_set_id
)

select
    name as judgment_set,
    dataset, judgment_set_id, source, content_hash, loaded_at, policy,
    query_count as queries,
    judgment_count as judgments,
    grades.*,
    impressions, actions, first_at, last_at, min_impressions,
    cast(top_documents as bigint) as top_documents,
    cast(top_unclicked_documents as bigint) as top_unclicked_documents,
    impression_bands, clicks_by_position
from judgment_sets
cross join grades
cross join bands
cross join positions_of_log
left join click_logs using (judgment_set_id)
where judgment_set_id = $judgment_set_id
