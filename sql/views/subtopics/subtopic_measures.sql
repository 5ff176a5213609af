-- One row is a registered measure of subtopics. depth is the last position that
-- counts; without a cutoff, it is beyond all positions. ideal_depth is the last
-- one of the greedy ranking that the value is divided by, or null if it is
-- divided by nothing of the kind; of NRBP, what is deeper is worth less than
-- 1e-20.
select
    measures.measure,
    measures.family,
    measures.cutoff,
    coalesce(measures.cutoff, 1000000000) as depth,
    case
        when measures.family in ('alpha_nDCG', 'nERR_IA')
            then coalesce(measures.cutoff, 1000000000)
        when measures.family = 'nNRBP' and measures.beta = 0 then 1
        when measures.family = 'nNRBP'
            then least(1 - 46.1 / ln(measures.beta), 1000000000)
    end as ideal_depth,
    case
        when measures.family in ('alpha_DCG', 'alpha_nDCG') then 'log2'
        when measures.family in ('ERR_IA', 'nERR_IA') then 'reciprocal'
        when measures.family in ('NRBP', 'nNRBP') then 'persistence'
    end as discount_kind,
    measures.alpha,
    measures.beta,
    measures.rel,
    measures.judged_only,
    measures.known

from measures

where
    measures.family in (
        'alpha_DCG',
        'alpha_nDCG',
        'ERR_IA',
        'nERR_IA',
        'NRBP',
        'nNRBP',
        'P_IA',
        'AP_IA',
        'StRecall'
    )
