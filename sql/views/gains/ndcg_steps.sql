-- One row is a position of a ranking under a measure of the gain family: the
-- document at the position, its grade, gain, discount and discounted gain, and
-- the DCG down to it; and the document, gain and DCG of the ideal ranking at
-- the same position. Runs that another engine evaluated have no rows, because
-- their rankings are not here.
with steps as (

    select
        discounted_gains.run_id,
        discounted_gains.run,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        gain_measures.measure,
        discounted_gains.position,
        max(discounted_gains.discount) as discount,
        max(discounted_gains.doc_id)
        filter (where discounted_gains.part <> 'ideal') as doc_id,
        max(discounted_gains.gain)
        filter (where discounted_gains.part <> 'ideal') as gain,
        max(discounted_gains.doc_id)
        filter (where discounted_gains.part = 'ideal') as ideal_doc_id,
        max(discounted_gains.gain)
        filter (where discounted_gains.part = 'ideal') as ideal_gain

    from discounted_gains

    inner join gain_measures using (list_measure)

    where
        discounted_gains.position <= case
            when discounted_gains.part = 'ideal' then gain_measures.ideal_depth
            else gain_measures.depth
        end

    group by
        discounted_gains.run_id,
        discounted_gains.run,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        gain_measures.measure,
        discounted_gains.position

)

select
    runs.dataset,
    steps.run,
    judgment_sets.name as judgment_set,
    steps.run_id,
    steps.judgment_set_id,
    steps.query_id,
    steps.measure,
    steps.position,
    -- A gain that tied documents share does not name its document.
    coalesce(steps.doc_id, rankings.doc_id) as doc_id,
    hits.grade,
    steps.gain,
    steps.discount,
    steps.gain / steps.discount as discounted_gain,
    coalesce(sum(steps.gain / steps.discount) over down_the_list, 0) as dcg,
    steps.ideal_doc_id,
    steps.ideal_gain,
    coalesce(sum(steps.ideal_gain / steps.discount) over down_the_list, 0)
        as ideal_dcg

from steps

inner join runs
    on
        steps.run_id = runs.run_id
        and steps.run = runs.name

inner join judgment_sets using (judgment_set_id)

inner join gain_measures using (measure)

left join rankings
    on
        steps.run_id = rankings.run_id
        and steps.query_id = rankings.query_id
        -- A condition on the other side alone would compare all pairs of rows.
        and case when gain_measures.tie_rule = 'mean' then steps.position end
        = rankings.position

left join hits
    on
        steps.run_id = hits.run_id
        and steps.judgment_set_id = hits.judgment_set_id
        and steps.query_id = hits.query_id
        and coalesce(steps.doc_id, rankings.doc_id) = hits.doc_id

left join external_evaluations
    on steps.run_id = external_evaluations.run_id

where external_evaluations.run_id is null

window down_the_list as (
    partition by
        steps.run_id,
        steps.run,
        steps.judgment_set_id,
        steps.query_id,
        steps.measure
    order by steps.position
    rows between unbounded preceding and current row
)
