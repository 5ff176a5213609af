-- One row is the upper part of a list of the gain family (see
-- discounted_gains), down to a position where the cutoff of some measure ends
-- it: what is gained there, plain and discounted. Terms are added in order of
-- position, so that the last bits are those of a sequential sum. Cutoffs down to
-- last_depth have the same sums.
with ends as (

    select distinct
        discounted_gains.run_id,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.deepest,
        discounted_gains.part,
        discounted_gains.position,
        discounted_gains.last_depth

    from discounted_gains

    inner join gain_measures
        on
            discounted_gains.deepest = gain_measures.deepest
            and case
                when discounted_gains.part = 'ideal'
                    then gain_measures.ideal_depth
                else gain_measures.depth
            end
            between discounted_gains.position and discounted_gains.last_depth

    where discounted_gains.part in ('run', 'ideal')

)

select
    ends.run_id,
    ends.judgment_set_id,
    ends.query_id,
    ends.deepest,
    ends.part,
    ends.position,
    ends.last_depth,
    sum(discounted_gains.gain order by discounted_gains.position) as cg,
    sum(
        discounted_gains.gain / discounted_gains.discount
        order by discounted_gains.position
    ) as dcg

from ends

inner join discounted_gains
    on
        ends.run_id = discounted_gains.run_id
        and ends.judgment_set_id = discounted_gains.judgment_set_id
        and ends.query_id = discounted_gains.query_id
        and ends.deepest = discounted_gains.deepest
        and ends.part = discounted_gains.part
        and ends.position >= discounted_gains.position

group by
    ends.run_id,
    ends.judgment_set_id,
    ends.query_id,
    ends.deepest,
    ends.part,
    ends.position,
    ends.last_depth
