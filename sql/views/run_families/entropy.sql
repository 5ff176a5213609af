-- Entropy: that of the shares p that documents have of all that a run shows to
-- judged queries, -sum(p ln p) (Shannon 1948; RecBole documents it so, and
-- divides it by the number of different documents). There is no value if nothing
-- is shown.
select
    shown_totals.run_id,
    shown_totals.judgment_set_id,
    shown_totals.measure,
    sum(
        shown_frequencies.distinct_documents
        * (shown_frequencies.times / shown_totals.shown)
        * ln(shown_totals.shown / shown_frequencies.times)
        order by shown_frequencies.times
    ) as value,
    max(shown_totals.n) as n

from shown_totals

left join shown_frequencies using (run_id, judgment_set_id, known, depth)

where shown_totals.family = 'Entropy'

group by
    shown_totals.run_id,
    shown_totals.judgment_set_id,
    shown_totals.measure
