-- One row is a registered measure of the gain family (CG, DCG, IDCG, nDCG,
-- nCG, ndcg_rel, Rndcg, G), with the scheme that turns its grades into gains
-- spelled out. A grade below rel gains nothing; without rel, no grade is held
-- back. depth is the last position that counts, beyond all where that has no
-- cutoff; ideal_depth the last one of the ideal ranking. A measure looks at a
-- list of its own here, so that who asks for one gets no more made; while values
-- are stored, measures share lists (see store/shared_gain_measures).
with spelled_out as (

    select
        measures.measure,
        measures.family,
        measures.cutoff,
        measures.dcg,
        -- A measure that takes no base or ideal has those of plain NDCG beside
        -- it.
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

)

select
    spelled_out.measure,
    spelled_out.family,
    spelled_out.cutoff,
    coalesce(spelled_out.cutoff, 1000000000) as depth,
    coalesce(
        case when spelled_out.ideal <> 'uncut' then spelled_out.cutoff end,
        1000000000
    ) as ideal_depth,
    spelled_out.dcg,
    spelled_out.base,
    spelled_out.ideal,
    spelled_out.ties,
    spelled_out.judged_only,
    spelled_out.gain_scheme,
    spelled_out.rel,
    spelled_out.measure as deepest,
    coalesce(spelled_out.cutoff, 1000000000) as shallowest_depth

from spelled_out
