-- One row is what Compat is made of for a list, the overlap of a run's list with the ideal one: at
-- each depth i, the share of documents that both have down to it, weighted by p^(i - 1). Equal
-- grades of the ideal are in the order of the run, so that their order costs it nothing (Clarke et
-- al. 2021). best is that of the ideal with itself, or (normalize = false) of full agreement.
with ideal as (
    select
        run_id as list_id,
        judgment_set_id, query_id, measure, p, normalize, listed, position,
        row_number() over (
            partition by run_id, judgment_set_id, query_id, measure
            order by judged_documents.grade desc, position asc nulls last, doc_id desc
        ) as ideal_position
    from settings
    inner join listed_queries using (known, judged_only)
    inner join judged_documents using (judgment_set_id, query_id, known)
    left join lists using (run_id, judgment_set_id, query_id, known, judged_only, doc_id)
    where family = 'Compat' and judged_documents.grade > 0
),

depths as (
    select
        *,
        if(position is null, null, greatest(ideal_position, position)) as shared_from,
        greatest(max(ideal_position) over of_list, max(listed) over of_list) as depth
    from ideal
    window of_list as (partition by list_id, judgment_set_id, query_id, measure)
),

-- What a document that both have from a depth on adds, and what full agreement adds down to it.
worths as (
    select
        measure, position,
        sum(cast(power(p, position - 1) / position as decimal(38, 36))) over down as overlap,
        cast(sum(cast(power(p, position - 1) as decimal(38, 30))) over down as double) as agreement
    from (select distinct measure, p from depths) as measures
    cross join (select unnest(range(1, (select max(depth) from depths) + 1)) as position) as deep
    window down as (partition by measure order by position)
)

select
    'run' as side,
    list_id, judgment_set_id, query_id, measure,
    sum_in_order(
        if(shared_from is null, 0, cast(ends.overlap - coalesce(above.overlap, 0) as double)),
        ideal_position
    ) as total,
    if(
        normalize,
        sum_in_order(cast(ends.overlap - coalesce(higher.overlap, 0) as double), ideal_position),
        max(ends.agreement)
    ) as best,
    null as found
from depths
inner join worths as ends using (measure)
left join worths as above
    on above.measure = depths.measure and above.position = shared_from - 1
left join worths as higher
    on higher.measure = depths.measure and higher.position = ideal_position - 1
where ends.position = depth
group by list_id, judgment_set_id, query_id, measure, normalize
