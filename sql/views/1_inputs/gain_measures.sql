-- One row is a registered measure of the gain family (CG, DCG, IDCG, nDCG,
-- nCG, ndcg_rel, Rndcg, G), with the scheme that turns its grades into gains
-- spelled out. A grade below rel gains nothing; without rel, no grade is held
-- back.
select
    measures.measure,
    measures.family,
    measures.cutoff,
    measures.dcg,
    -- A measure that takes no base or ideal has those of plain NDCG beside it.
    coalesce(measures.base, 2) as base,
    coalesce(measures.ideal, 'judged') as ideal,
    measures.ties,
    measures.judged_only,
    case
        when measures.gains is not null then measures.gains
        when measures.dcg in ('exp-log2', 'exp-jk') then 'exp'
        else 'linear'
    end as gain_scheme,
    coalesce(
        measures.rel,
        case when measures.gains = 'binary' then 1 else 0 end
    ) as rel

from measures

where measures.dcg is not null
