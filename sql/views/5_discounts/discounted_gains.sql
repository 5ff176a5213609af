-- One row is a document that a measure of the gain family looks at, with the
-- discount of its position: log2(position + 1), or for the kinds 'jk' and 'exp-jk' nothing
-- before position base and log_base(position) from there on
-- (Järvelin & Kekäläinen 2002).
select
    gain_parts.run_id,
    gain_parts.judgment_set_id,
    gain_parts.query_id,
    gain_parts.measure,
    gain_parts.family,
    gain_parts.part,
    gain_parts.position,
    gain_parts.doc_id,
    gain_parts.gain,
    case
        when gain_measures.dcg in ('log2', 'exp-log2')
            then
                case
                    when gain_measures.base = 2
                        then log2(gain_parts.position + 1)
                    else ln(gain_parts.position + 1) / ln(gain_measures.base)
                end
        when gain_parts.position < gain_measures.base then 1
        when gain_measures.base = 2 then log2(gain_parts.position)
        else ln(gain_parts.position) / ln(gain_measures.base)
    end as discount

from gain_parts

inner join gain_measures
    on
        gain_parts.measure = gain_measures.measure
        and gain_parts.family = gain_measures.family
