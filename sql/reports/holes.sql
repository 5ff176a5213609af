-- One row is an unjudged document that runs return within a depth for a judged
-- query; those that one more judgment could change most come first.
-- largest_change is the largest gain of the judgment set's grades / the discount
-- at the document's position, summed over the runs that return it; for two runs,
-- it is the difference of the two. Below the cutoff, nothing changes.
with pairs as (
    select
        unnest($run_ids) as run_id,
        unnest($judgment_set_ids) as judgment_set_id
),

run_counts as (
    select
        judgment_set_id,
        count(*) as runs
    from pairs
    group by all
),

gained as (
    select
        judgment_set_id, cutoff, discount_kind, base,
        greatest(max(gain), 0) as gain
    from grade_gains
    inner join settings using (basis)
    group by all
),

returned as (
    select
        pairs.judgment_set_id, rankings.query_id, rankings.doc_id, rankings.position,
        if(
            rankings.position > cutoff,
            0,
            gain / discount_at(rankings.position, discount_kind, base)
        ) as largest_change
    from pairs
    inner join rankings using (run_id)
    inner join judged_queries using (judgment_set_id, query_id)
    inner join gained using (judgment_set_id)
    left join judgments
        on
            pairs.judgment_set_id = judgments.judgment_set_id
            and rankings.query_id = judgments.query_id
            and rankings.doc_id = judgments.doc_id
            and judgments.grade >= 0
    where rankings.position <= $depth and judgments.doc_id is null
),

unjudged as (
    select
        returned.judgment_set_id, returned.query_id, returned.doc_id,
        count(*) as runs,
        min(returned.position) as best_position,
        case
            when count(*) = 2 and any_value(run_counts.runs) = 2
                then max(returned.largest_change) - min(returned.largest_change)
            -- In one order, so that the last bits do not depend on threads.
            else list_sum(list_sort(list(returned.largest_change)))
        end as largest_change
    from returned
    inner join run_counts using (judgment_set_id)
    group by all
)

select
    query_id, doc_id, title, runs, best_position,
    $measure as measure,
    largest_change,
    name as judgment_set,
    dataset
from unjudged
inner join judgment_sets using (judgment_set_id)
left join documents using (dataset, doc_id)
order by largest_change desc, best_position asc, runs desc, dataset asc, query_id asc, doc_id asc
