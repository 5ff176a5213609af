-- One row is a measure that does not fit a judgment set, and why (see computed_misfits), with its gain
-- scheme, the attributes of documents if it needs another one, and whether it has values anywhere.
select
    judgment_set_id,
    judgment_sets.name as judgment_set,
    dataset, measure, fault,
    measures.gains as scheme,
    grades,
    coalesce(attributes, []) as attributes,
    measure in (select measure from stored_run_values) as has_values
from misfits
inner join judgment_sets using (judgment_set_id)
inner join measures using (measure)
left join (
    select
        dataset,
        'attributes' as fault,
        list(distinct attribute order by attribute) as attributes
    from document_attributes
    group by all
) as described using (dataset, fault)
where list_contains($judgment_set_ids, judgment_set_id)
order by judgment_set_id, fault, measure
