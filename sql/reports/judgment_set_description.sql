-- One row is a judgment set: what was loaded, and for one made of clicks what it
-- rests on. A list has an entry for each band of impressions, or for each position.
with grades as (
    select
        min(judgments.grade) as least_grade,
        max(judgments.grade) as greatest_grade
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
),

bands as (
    select
        list(
            {
                'least_impressions': click_bands.least_impressions,
                'shown_documents': click_bands.shown_documents,
                'graded_documents': click_bands.graded_documents,
                'clicks': click_bands.clicks
            }
            order by click_bands.least_impressions
        ) as impression_bands
    from click_bands
    where click_bands.judgment_set_id = $judgment_set_id
),

positions_of_log as (
    select
        sum(click_positions.best_documents)
        filter (click_positions.position <= 3) as top_documents,
        sum(click_positions.unclicked_documents)
        filter (click_positions.position <= 3) as top_unclicked_documents,
        list(
            {
                'position': click_positions.position,
                'impressions': click_positions.impressions,
                'clicks': click_positions.clicks,
                'click_rate': click_positions.clicks
                / click_positions.impressions,
                'best_documents': click_positions.best_documents,
                'unclicked_documents': click_positions.unclicked_documents
            }
            order by click_positions.position
        ) as clicks_by_position
    from click_positions
    where click_positions.judgment_set_id = $judgment_set_id
)

select
    judgment_sets.name as judgment_set,
    judgment_sets.dataset, judgment_sets.judgment_set_id, judgment_sets.source,
    judgment_sets.content_hash, judgment_sets.loaded_at, judgment_sets.policy,
    judgment_sets.query_count as queries,
    judgment_sets.judgment_count as judgments,
    grades.least_grade, grades.greatest_grade, click_logs.impressions, click_logs.actions,
    click_logs.first_at, click_logs.last_at, click_logs.min_impressions,
    cast(positions_of_log.top_documents as bigint) as top_documents,
    cast(positions_of_log.top_unclicked_documents as bigint) as top_unclicked_documents,
    bands.impression_bands, positions_of_log.clicks_by_position
from judgment_sets
cross join grades
cross join bands
cross join positions_of_log
left join click_logs using (judgment_set_id)
where judgment_sets.judgment_set_id = $judgment_set_id
