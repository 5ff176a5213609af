-- One row is a ranking of the gain family (see discounted_gains), down to the
-- cutoff of a measure: the sums of its gains down to position, plain and
-- discounted. Terms are added in the order of positions, so that the last bits
-- are those of a sequential sum. All cutoffs from position to last_depth have
-- the same sums; if no measure cuts a ranking, all cutoffs have.
with places as (

    select
        discounted_gains.run_id,
        discounted_gains.run,
        discounted_gains.judgment_set_id,
        discounted_gains.query_id,
        discounted_gains.list_measure,
        discounted_gains.part,
        discounted_gains.position,
        lead(discounted_gains.position) over down - 1 as last_depth

    from discounted_gains

    where
        discounted_gains.part in ('run', 'ideal')
        and discounted_gains.is_cut

    window
        down as (
            partition by
                discounted_gains.run_id,
                discounted_gains.run,
                discounted_gains.judgment_set_id,
                discounted_gains.query_id,
                discounted_gains.list_measure,
                discounted_gains.part
            order by discounted_gains.position
        )

),

ends as (

    select distinct
        places.run_id,
        places.run,
        places.judgment_set_id,
        places.query_id,
        places.list_measure,
        places.part,
        places.position,
        places.last_depth

    from places

    inner join gain_measures using (list_measure)

    where
        places.position <= case
            when places.part = 'ideal' then gain_measures.ideal_depth
            else gain_measures.depth
        end
        and places.last_depth >= case
            when places.part = 'ideal' then gain_measures.ideal_depth
            else gain_measures.depth
        end

)

select
    discounted_gains.run_id,
    discounted_gains.run,
    discounted_gains.judgment_set_id,
    discounted_gains.query_id,
    discounted_gains.list_measure,
    discounted_gains.part,
    case
        when discounted_gains.is_cut then max(discounted_gains.position)
        else 1
    end as position,
    1000000000 as last_depth,
    sum(discounted_gains.gain order by discounted_gains.position) as cg,
    sum(
        discounted_gains.gain / discounted_gains.discount
        order by discounted_gains.position
    ) as dcg

from discounted_gains

where discounted_gains.part in ('run', 'ideal')

group by
    discounted_gains.run_id,
    discounted_gains.run,
    discounted_gains.judgment_set_id,
    discounted_gains.query_id,
    discounted_gains.list_measure,
    discounted_gains.part,
    discounted_gains.is_cut

union all

select
    ends.run_id,
    ends.run,
    ends.judgment_set_id,
    ends.query_id,
    ends.list_measure,
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
    using (run_id, run, judgment_set_id, query_id, list_measure, part)

where ends.position >= discounted_gains.position

group by
    ends.run_id,
    ends.run,
    ends.judgment_set_id,
    ends.query_id,
    ends.list_measure,
    ends.part,
    ends.position,
    ends.last_depth
