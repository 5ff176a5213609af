-- Positions close up over those of documents that were taken out.
update rankings

set position = renumbered.position

from (

    select
        kept.query_id,
        kept.doc_id,
        row_number() over (
            partition by kept.query_id
            order by kept.position
        ) as position

    from rankings as kept

    where kept.run_id = $run_id

) as renumbered

where
    rankings.run_id = $run_id
    and rankings.query_id = renumbered.query_id
    and rankings.doc_id = renumbered.doc_id
