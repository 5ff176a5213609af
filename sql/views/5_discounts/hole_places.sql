-- One row is a hole (see holes) under a measure whose holes can be filled (see
-- best_gains), with what a document of the best grade would add there to
-- what the measure adds up: nothing beyond the cutoff.
select
    holes.run_id,
    holes.judgment_set_id,
    holes.query_id,
    best_gains.measure,
    holes.doc_id,
    holes.position,
    best_gains.gain
    * case
        when holes.position > best_gains.cutoff then 0
        when best_gains.family = 'AP'
            then
                (gap_parts.relevant_above + 1) / holes.position
                + gap_parts.later_worth
        else place_worths.worth
    end as added

from holes

inner join best_gains
    on holes.judgment_set_id = best_gains.judgment_set_id

left join place_worths
    on
        best_gains.measure = place_worths.measure
        and holes.position = place_worths.place

left join gap_parts
    on
        gap_parts.family = 'AP'
        and holes.run_id = gap_parts.run_id
        and holes.judgment_set_id = gap_parts.judgment_set_id
        and holes.query_id = gap_parts.query_id
        and best_gains.measure = gap_parts.measure
        and holes.position >= gap_parts.first_hole
        and holes.position <= gap_parts.last_hole
