-- running_shares: G, the gains, each discounted by what was wasted above, as a share of all gains;
-- ndcg_rel, the mean nDCG at the positions of the documents with a gain, where one that was not
-- returned counts the nDCG of the whole list; Rndcg, the mean nDCG at the depths where the gain of
-- the ideal list drops, and of the whole list if it is longer by two or more (trec_eval).
with ends as (
    select judgment_set_id, query_id, measure, max(cg) as ideal_cg, max(dcg) as ideal_dcg
    from running_sums
    where side = 'ideal'
    group by all
),
whole as (
    select list_id, judgment_set_id, query_id, measure, max_by(dcg, position) as dcg
    from running_sums
    where side = 'run'
    group by all
),
shares as (
    select
        own.list_id, judgment_set_id, query_id, measure, own.family, own.position, own.length,
        if(
            own.family = 'G',
            own.gain
            / log2(2 + ideal.cost + greatest(own.position - own.length, 0) - own.cg),
            own.dcg / ideal.dcg
        ) as share
    from running_sums as own
    inner join running_sums as ideal using (judgment_set_id, query_id, measure)
    where
        own.side = 'run' and ideal.side = 'ideal'
        and ideal.position = least(own.position, own.length)
        and own.family in ('G', 'ndcg_rel') and (own.gain > 0 or own.family = 'G')
    union all
    select
        whole.list_id, judgment_set_id, query_id, measure, ideal.family, ideal.position,
        ideal.length,
        coalesce((
            select max_by(own.dcg, own.position)
            from running_sums as own
            where
                own.side = 'run' and own.position <= ideal.position
                and own.list_id = whole.list_id and own.measure = whole.measure
                and own.judgment_set_id = whole.judgment_set_id
                and own.query_id = whole.query_id
        ), 0) / ideal.dcg
    from whole
    inner join running_sums as ideal using (judgment_set_id, query_id, measure)
    where ideal.side = 'ideal' and ideal.drops and ideal.family = 'Rndcg'
)
select
    'run' as side, list_id, judgment_set_id, query_id, measure,
    sum_in_order(share, position) as total,
    max(dcg / ideal_dcg) as best,
    count(position) as found
from whole
inner join ends using (judgment_set_id, query_id, measure)
left join shares using (list_id, judgment_set_id, query_id, measure)
group by side, list_id, judgment_set_id, query_id, measure
