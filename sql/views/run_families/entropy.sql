-- Entropy: that of the shares p that documents have of all that a run shows to
-- judged queries, -sum(p ln p) (Shannon 1948; RecBole documents it so, and
-- divides it by the number of different documents). There is no value if nothing
-- is shown.
select
    shown_totals.run_id,
    shown_totals.run,
    shown_totals.judgment_set_id,
    shown_totals.attribute,
    shown_totals.slice,
    shown_totals.measure,
    sum(
        shown_frequencies.distinct_documents
        * (shown_frequencies.times / shown_totals.shown)
        * ln(shown_totals.shown / shown_frequencies.times)
        order by shown_frequencies.times
    ) as value,
    max(shown_totals.n) as n

from shown_totals

left join shown_frequencies
    on
        shown_totals.run_id = shown_frequencies.run_id
        and shown_totals.run = shown_frequencies.run
        and shown_totals.judgment_set_id = shown_frequencies.judgment_set_id
        and shown_totals.attribute
        is not distinct from shown_frequencies.attribute
        and shown_totals.slice is not distinct from shown_frequencies.slice
        and shown_totals.known = shown_frequencies.known
        and shown_totals.depth = shown_frequencies.depth

where shown_totals.family = 'Entropy'

group by
    shown_totals.run_id,
    shown_totals.run,
    shown_totals.judgment_set_id,
    shown_totals.attribute,
    shown_totals.slice,
    shown_totals.measure
