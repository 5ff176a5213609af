-- One row is a document in a run's ranking and a subtopic that it is relevant
-- to, with the term that they add to the value of a measure. gain is the term
-- before it is discounted: 1, but the precision for the subtopic alone for
-- AP_IA, and (1 - alpha)^c for measures of novelty, where c documents above are
-- relevant to the subtopic (Clarke et al. 2008, SIGIR).
with gained as (

    select
        subtopic_places.run_id,
        subtopic_places.judgment_set_id,
        subtopic_places.query_id,
        subtopic_measures.measure,
        subtopic_measures.family,
        subtopic_places.position,
        subtopic_places.subtopic,
        subtopic_places.relevant,
        case
            when subtopic_measures.family = 'AP_IA'
                then subtopic_places.found / subtopic_places.position
            when subtopic_measures.family in ('P_IA', 'StRecall') then 1
            else power(1 - subtopic_measures.alpha, subtopic_places.found - 1)
        end as gain

    from subtopic_places

    inner join subtopic_measures using (rel, judged_only, known)

    where
        subtopic_places.position <= subtopic_measures.depth
        and (
            subtopic_measures.family <> 'StRecall'
            or subtopic_places.found = 1
        )

)

select
    gained.run_id,
    gained.judgment_set_id,
    gained.query_id,
    gained.measure,
    gained.position,
    gained.subtopic,
    gained.gain,
    case
        when gained.family = 'AP_IA' then gained.gain / gained.relevant
        when gained.family in ('P_IA', 'StRecall') then gained.gain
        else gained.gain * novelty_discounts.discount
    end as term

from gained

left join novelty_discounts using (measure, position)
