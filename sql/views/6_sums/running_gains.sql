-- One row is a document that G or ndcg_rel looks at, on the list that the run
-- returned (part 'run') or the ideal one (part 'ideal'), with what was gained
-- down to it, plain and discounted, and with cost, the same sum of gains where
-- each is at least 1.
select
    discounted_gains.run_id,
    discounted_gains.judgment_set_id,
    discounted_gains.query_id,
    discounted_gains.measure,
    discounted_gains.family,
    discounted_gains.part,
    discounted_gains.position,
    discounted_gains.gain,
    sum(discounted_gains.gain) over down_the_list as cg,
    sum(discounted_gains.gain / discounted_gains.discount)
        over down_the_list as dcg,
    sum(greatest(discounted_gains.gain, 1)) over down_the_list as cost

from discounted_gains

where
    discounted_gains.family in ('G', 'ndcg_rel')
    and discounted_gains.part in ('run', 'ideal')

window down_the_list as (
    partition by
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.measure,
        discounted_gains.family,
        discounted_gains.part
    order by discounted_gains.position
    rows between unbounded preceding and current row
)
