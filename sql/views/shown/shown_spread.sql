-- One row is a measure of what a run shows to all queries of a group. There is no value of Entropy
-- and Gini if nothing is shown, nor of Coverage and Gini if documents are shown that are not in the
-- catalogue. Coverage: the documents shown as a share of the catalogue (Ge et al. 2010; RecBole's
-- ItemCoverage). Entropy: -sum(p ln p) of the shares p that documents have of all that is shown
-- (Shannon 1948; RecBole). Gini: how unequally it falls on the catalogue (Gini 1912; RecBole's
-- GiniIndex): with the counts c of all n documents ascending, sum((2 i - n - 1) c) / (n sum(c)). Of
-- d documents shown c times each, after p others, that is c d (2 p + d - n).
with placed as (
    select
        *,
        sum(distinct_documents) over (
            partition by run_id, judgment_set_id, attribute, slice, basis, depth
            order by times desc
        ) as reached
    from shown_counts
)

select
    shown_totals.run_id, shown_totals.judgment_set_id, shown_totals.attribute, shown_totals.slice,
    measure,
    case
        when family = 'Entropy'
            then sum(placed.distinct_documents * (times / shown) * ln(shown / times) order by times)
        when shown_totals.outside > 0 then null
        when family = 'Coverage' then shown_totals.distinct_documents / nullif(catalogue_size, 0)
        else
            sum(
                times * placed.distinct_documents
                * (catalogue_size - 2 * reached + placed.distinct_documents)
            ) / (catalogue_size * shown)
    end as value,
    n, answered, unanswered
from shown_totals
left join placed
    on
        shown_totals.run_id = placed.run_id
        and shown_totals.judgment_set_id = placed.judgment_set_id
        and shown_totals.attribute is not distinct from placed.attribute
        and shown_totals.slice is not distinct from placed.slice
        and shown_totals.basis = placed.basis
        and shown_totals.depth = placed.depth
group by
    shown_totals.run_id, shown_totals.judgment_set_id, shown_totals.attribute, shown_totals.slice,
    measure, family, n, answered, unanswered, shown_totals.distinct_documents,
    shown_totals.outside, shown, catalogue_size
