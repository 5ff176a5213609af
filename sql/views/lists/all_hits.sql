-- One row is a hit: found here (see computed_hits) or by another engine. The
-- table hits stores these rows.
select
    computed_hits.run_id, computed_hits.judgment_set_id, computed_hits.query_id,
    computed_hits.doc_id, computed_hits.position, computed_hits.grade, computed_hits.tie_first,
    computed_hits.tie_last
from computed_hits
union all
select
    external_hits.run_id, external_hits.judgment_set_id, external_hits.query_id,
    external_hits.doc_id, external_hits.position, judgments.grade, external_hits.tie_first,
    external_hits.tie_last
from external_hits
inner join judgments using (judgment_set_id, query_id, doc_id)
