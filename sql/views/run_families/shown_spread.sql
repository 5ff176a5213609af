-- The measures of what a run shows to all judged queries together. There is no
-- value of Entropy and Gini if nothing is shown, nor of Coverage and Gini if documents
-- are shown that are not in the catalogue.
-- Coverage: the documents that a run shows, as a share of the catalogue (Ge et al.
-- 2010, RecSys; RecBole's ItemCoverage).
-- Entropy: that of the shares p that documents have of all that is shown, -sum(p ln
-- p) (Shannon 1948; RecBole documents it so, and divides it by the number of
-- different documents).
-- Gini: how unequally what is shown falls on the documents of the catalogue (Gini
-- 1912; RecBole's GiniIndex). With the counts c of all n documents in ascending
-- order, it is sum((2 i - n - 1) c) / (n sum(c)). Documents with equal counts are
-- added up together: of d documents after p others, each shown c times, the sum is
-- c d (2 p + d - n). Those that are never shown come first, and add nothing.
with placed as (

    select
        shown_frequencies.run_id,
        shown_frequencies.run,
        shown_frequencies.judgment_set_id,
        shown_frequencies.attribute,
        shown_frequencies.slice,
        shown_frequencies.known,
        shown_frequencies.depth,
        shown_frequencies.times,
        shown_frequencies.distinct_documents,
        sum(shown_frequencies.distinct_documents) over (
            partition by
                shown_frequencies.run_id,
                shown_frequencies.run,
                shown_frequencies.judgment_set_id,
                shown_frequencies.attribute,
                shown_frequencies.slice,
                shown_frequencies.known,
                shown_frequencies.depth
            order by shown_frequencies.times desc
        ) as reached

    from shown_frequencies

)

select
    shown_totals.run_id,
    shown_totals.run,
    shown_totals.judgment_set_id,
    shown_totals.attribute,
    shown_totals.slice,
    shown_totals.measure,
    case
        when shown_totals.family = 'Entropy'
            then
                sum(
                    placed.distinct_documents
                    * (placed.times / shown_totals.shown)
                    * ln(shown_totals.shown / placed.times)
                    order by placed.times
                )
        when shown_totals.outside > 0 then null
        when shown_totals.family = 'Coverage'
            then
                shown_totals.distinct_documents
                / nullif(shown_totals.catalogue_size, 0)
        else
            sum(
                placed.times * placed.distinct_documents
                * (
                    shown_totals.catalogue_size
                    - 2 * placed.reached
                    + placed.distinct_documents
                )
            )
            / (shown_totals.catalogue_size * shown_totals.shown)
    end as value,
    shown_totals.n

from shown_totals

left join placed
    on
        shown_totals.run_id = placed.run_id
        and shown_totals.run = placed.run
        and shown_totals.judgment_set_id = placed.judgment_set_id
        and shown_totals.attribute is not distinct from placed.attribute
        and shown_totals.slice is not distinct from placed.slice
        and shown_totals.known = placed.known
        and shown_totals.depth = placed.depth

group by
    shown_totals.run_id,
    shown_totals.run,
    shown_totals.judgment_set_id,
    shown_totals.attribute,
    shown_totals.slice,
    shown_totals.measure,
    shown_totals.family,
    shown_totals.n,
    shown_totals.distinct_documents,
    shown_totals.outside,
    shown_totals.shown,
    shown_totals.catalogue_size
