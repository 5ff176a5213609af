-- One row is what G, ndcg_rel or Rndcg is made of for a list. G: the gains, each discounted by what
-- was wasted above, as a share of all gains; ndcg_rel: the mean nDCG at the positions of the
-- documents with a gain, where one that was not returned counts the nDCG of the whole list; Rndcg:
-- the mean nDCG at the depths where the gain of the ideal list drops (see drop_shares), and of the
-- whole list if it is longer by two or more (trec_eval).
with ends as (
    select
        judgment_set_id, query_id, measure,
        max(dcg) as ideal_dcg
    from running_sums
    where side = 'ideal'
    group by all
),

whole as (
    select
        list_id, judgment_set_id, query_id, measure,
        max_by(dcg, position) as dcg
    from running_sums
    where side = 'run'
    group by all
),

shares as (
    select
        own.list_id, judgment_set_id, query_id, measure, own.position,
        if(
            own.family = 'G',
            own.gain / log2(2 + ideal.cost + greatest(own.position - own.length, 0) - own.cg),
            own.dcg / ideal.dcg
        ) as share
    from running_sums as own
    inner join running_sums as ideal using (judgment_set_id, query_id, measure)
    where
        own.side = 'run' and ideal.side = 'ideal'
        and ideal.position = least(own.position, own.length)
        and own.family in ('G', 'ndcg_rel') and (own.gain > 0 or own.family = 'G')
    union all
    select * from drop_shares
)

select
    'run' as side,
    list_id, judgment_set_id, query_id, measure,
    sum_in_order(share, position) as total,
    max(dcg / ideal_dcg) as best,
    count(share) as found
from whole
inner join ends using (judgment_set_id, query_id, measure)
left join shares using (list_id, judgment_set_id, query_id, measure)
group by list_id, judgment_set_id, query_id, measure
