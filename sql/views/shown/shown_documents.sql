-- One row is a document that a run shows down to the cutoff of a measure of
-- whole rankings that queries have values of.
select
    listed_rankings.run_id,
    runs.dataset,
    listed_rankings.query_id,
    listed_rankings.doc_id,
    shown_measures.measure,
    shown_measures.by_attribute

from listed_rankings

inner join runs using (run_id)

inner join shown_measures using (known)

where
    shown_measures.summary <> 'none'
    and listed_rankings.position <= shown_measures.depth
