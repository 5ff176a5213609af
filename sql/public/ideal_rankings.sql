-- One row is a judged document at its position in the ideal ranking of its
-- query. The ideal ranking has the documents with a gain above 0, in descending
-- order of gain. Filter by gain_scheme and rel: each combination that a
-- registered measure uses has its own ideal rankings. Measures that take known
-- documents out have ideal rankings without these (see ndcg_steps).
with used as (
    select
        judgment_set_id, gain_scheme, rel,
        min(basis) as basis
    from store.settings
    inner join store.fitting_measures using (measure)
    where dcg_kind is not null and known = 'keep' and ideal = 'judged'
    group by judgment_set_id, gain_scheme, rel
)

select
    judgment_sets.dataset,
    judgment_sets.name as judgment_set,
    query_id, gain_scheme, rel,
    cast(position as integer) as position,
    doc_id, grade, gain, judgment_set_id
from store.ideals
inner join store.judgment_sets using (judgment_set_id)
inner join used using (judgment_set_id, basis, gain_scheme)
where list_id = 0
