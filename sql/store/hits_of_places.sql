-- The hits of a run, as reading found them: arrays of the places of judgments, which
-- placed_judgments has, and of positions.
insert into hits by name
select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    placed_judgments.query_id, placed_judgments.doc_id, placed_judgments.grade,
    returned_places.position, returned_places.tie_first, returned_places.tie_last
from returned_places
inner join placed_judgments using (place)
