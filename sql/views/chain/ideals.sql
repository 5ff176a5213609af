-- One row is a document of an ideal list: those with a gain, the best first, of equal ones the last
-- by its id (Järvelin & Kekäläinen 2002).
with placed as (
    select
        ideal_candidates.*,
        gain,
        row_number() over (
            partition by list_id, judgment_set_id, query_id, basis
            order by gain desc, doc_id desc
        ) as position
    from ideal_candidates
    inner join grade_gains using (judgment_set_id, grade, basis)
    where gain > 0
)

select list_id, judgment_set_id, query_id, basis, gain_scheme, doc_id, grade, position, gain
from placed
where position <= length
