-- One row is a position of the greedy ideal ranking of a query: at each position
-- stands the document with the largest gain after those above it (see
-- subtopic_terms), of equal ones the last by its id. To find the best ranking is
-- NP-complete; this one is what ndeval divides by (Clarke et al. 2008, SIGIR).
with recursive novelties as (

    select
        subtopic_measures.alpha,
        subtopic_measures.rel,
        subtopic_measures.known,
        max(subtopic_measures.ideal_depth) as depth

    from subtopic_measures

    where subtopic_measures.ideal_depth is not null

    group by
        subtopic_measures.alpha,
        subtopic_measures.rel,
        subtopic_measures.known

),

-- One row is a group of documents before a position is filled, of which the
-- first ones are taken already. weights are what its next document gains for
-- each of its subtopics, whose sum is gain. place 1 has the group whose document
-- is taken; its subtopics are taken_subtopics.
open_groups as (

    select
        subtopic_groups.judgment_set_id,
        subtopic_groups.query_id,
        novelties.rel,
        novelties.known,
        novelties.alpha,
        novelties.depth,
        cast(0 as bigint) as position,
        cast(2 as bigint) as place,
        cast(null as varchar) as taken_doc_id,
        cast(0 as double) as taken_gain,
        subtopic_groups.subtopic_numbers,
        subtopic_groups.doc_ids,
        subtopic_groups.group_size,
        cast(0 as bigint) as taken,
        list_transform(
            subtopic_groups.subtopic_numbers, lambda subtopic: cast(1 as double)
        ) as weights

    from subtopic_groups

    inner join novelties using (rel, known)

    union all

    select
        placed.judgment_set_id,
        placed.query_id,
        placed.rel,
        placed.known,
        placed.alpha,
        placed.depth,
        placed.position + 1 as position,
        placed.place,
        placed.doc_ids[placed.taken + 1] as taken_doc_id,
        placed.gain as taken_gain,
        placed.subtopic_numbers,
        placed.doc_ids,
        placed.group_size,
        case
            when placed.place = 1 then placed.taken + 1
            else placed.taken
        end as taken,
        case
            when list_has_any(placed.subtopic_numbers, placed.taken_subtopics)
                then
                    list_transform(
                        list_zip(placed.subtopic_numbers, placed.weights),
                        lambda pair: case
                            when list_contains(placed.taken_subtopics, pair[1])
                                then pair[2] * (1 - placed.alpha)
                            else pair[2]
                        end
                    )
            else placed.weights
        end as weights

    from (
        select
            open_groups.judgment_set_id,
            open_groups.query_id,
            open_groups.rel,
            open_groups.known,
            open_groups.alpha,
            open_groups.depth,
            open_groups.position,
            open_groups.subtopic_numbers,
            open_groups.doc_ids,
            open_groups.group_size,
            open_groups.taken,
            open_groups.weights,
            list_sum(open_groups.weights) as gain,
            row_number() over by_gain as place,
            first_value(open_groups.subtopic_numbers)
                over by_gain as taken_subtopics

        from open_groups

        where
            open_groups.position < open_groups.depth
            and open_groups.taken < open_groups.group_size

        window by_gain as (
            partition by
                open_groups.judgment_set_id,
                open_groups.query_id,
                open_groups.rel,
                open_groups.known,
                open_groups.alpha
            -- Equal sums of other terms may differ in their last bits.
            order by
                round(list_sum(open_groups.weights), 12) desc,
                open_groups.doc_ids[open_groups.taken + 1] desc
        )
    ) as placed

)

select
    open_groups.judgment_set_id,
    open_groups.query_id,
    open_groups.rel,
    open_groups.known,
    open_groups.alpha,
    open_groups.position,
    open_groups.taken_doc_id as doc_id,
    open_groups.taken_gain as gain

from open_groups

where open_groups.place = 1
