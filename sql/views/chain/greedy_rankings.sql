-- One row is a document of the greedy ideal list of a query: at each position stands the one that
-- gains most after those above it, of equal ones the last by its id (Clarke et al. 2008; ndeval).
-- Documents relevant to the same subtopics are a group, taken one after the other; weights are what
-- the next of a group gains for each of its subtopics. The best list is NP-complete to find.
with recursive novelties as (
    select
        alpha, rel, known,
        max(greedy_depth) as depth
    from subtopic_bases
    where greedy_depth is not null
    group by all
),

subtopics as (
    select
        judgment_set_id, query_id, rel, known, doc_id,
        list(number order by number) as subtopic_numbers
    from (
        select
            *,
            dense_rank() over (
                partition by judgment_set_id, query_id, rel, known order by subtopic
            ) as number
        from subtopic_relevance
    ) as numbered
    group by all
),

subtopic_groups as (
    select
        judgment_set_id, query_id, rel, known, subtopic_numbers,
        list(doc_id order by doc_id desc) as doc_ids
    from subtopics
    group by all
),

open_groups as (
    select
        judgment_set_id, query_id, rel, known, alpha, depth, subtopic_numbers, doc_ids,
        0::bigint as position,
        2::bigint as place,
        0::double as gain,
        0::bigint as taken,
        list_transform(subtopic_numbers, lambda subtopic: 1::double) as weights
    from subtopic_groups
    inner join novelties using (rel, known)
    union all
    select
        judgment_set_id, query_id, rel, known, alpha, depth, subtopic_numbers, doc_ids,
        position + 1 as position,
        place,
        gain,
        if(place = 1, taken + 1, taken) as taken,
        if(
            list_has_any(subtopic_numbers, taken_subtopics),
            list_transform(
                list_zip(subtopic_numbers, weights),
                lambda pair: pair[2] * if(list_contains(taken_subtopics, pair[1]), 1 - alpha, 1)
            ),
            weights
        ) as weights
    from (
        select
            * exclude (gain, place),
            list_sum(weights) as gain,
            row_number() over by_gain as place,
            first_value(subtopic_numbers) over by_gain as taken_subtopics
        from open_groups
        where position < depth and taken < len(doc_ids)
        -- Equal sums of other terms may differ in their last bits.
        window by_gain as (
            partition by judgment_set_id, query_id, rel, known, alpha
            order by round(list_sum(weights), 12) desc, doc_ids[taken + 1] desc
        )
    ) as placed
)

select judgment_set_id, query_id, rel, known, alpha, position, gain
from open_groups
where place = 1
