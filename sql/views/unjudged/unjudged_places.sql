-- One row is an unjudged document (see unjudged_documents) under a measure of
-- best_gains, with what a document of the best grade would add at its position
-- to the sum that the measure is computed from: nothing beyond the cutoff.
select
    unjudged_documents.run_id,
    unjudged_documents.run,
    unjudged_documents.judgment_set_id,
    unjudged_documents.query_id,
    best_gains.measure,
    unjudged_documents.doc_id,
    unjudged_documents.position,
    best_gains.gain
    * case
        when unjudged_documents.position > best_gains.cutoff then 0
        when best_gains.worth_rule = 'precision'
            then
                (gap_parts.relevant_above + 1) / unjudged_documents.position
                + gap_parts.later_worth
        else place_worths.worth
    end as added

from unjudged_documents

inner join best_gains using (judgment_set_id)

left join place_worths
    on
        best_gains.measure = place_worths.measure
        and unjudged_documents.position = place_worths.place

left join gap_parts
    on
        gap_parts.worth_rule = 'precision'
        and unjudged_documents.run_id = gap_parts.run_id
        and unjudged_documents.run = gap_parts.run
        and unjudged_documents.judgment_set_id = gap_parts.judgment_set_id
        and unjudged_documents.query_id = gap_parts.query_id
        and best_gains.measure = gap_parts.measure
        and unjudged_documents.position >= gap_parts.first_unjudged
        and unjudged_documents.position <= gap_parts.last_unjudged
