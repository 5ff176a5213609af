-- One row is a registered measure of the gain family (CG, DCG, IDCG, nDCG, nCG,
-- ndcg_rel, Rndcg, G), with the scheme that turns grades into gains. A grade
-- below rel gains nothing; rel is 0 for a measure without rel, or 1 if its
-- gains are binary. depth is the last position that counts, and ideal_depth the
-- last one of the ideal ranking; without a cutoff, they are beyond all
-- positions. Here each measure has a ranking of its own, so that a query for
-- one measure computes no other. While values are stored, measures share
-- rankings (see store/shared_gain_measures).
with spelled_out as (

    select
        measures.measure,
        measures.family,
        measures.cutoff,
        measures.dcg_kind,
        -- A measure that takes no base or ideal gets those of plain nDCG.
        coalesce(measures.base, 2) as base,
        coalesce(measures.ideal, 'judged') as ideal,
        measures.tie_rule,
        measures.judged_only,
        measures.known,
        case
            when measures.gains is not null then measures.gains
            when measures.dcg_kind in ('exp-log2', 'exp-jk') then 'exp'
            else 'linear'
        end as gain_scheme,
        coalesce(
            measures.rel,
            case when measures.gains = 'binary' then 1 else 0 end
        ) as rel

    from measures

    where measures.dcg_kind is not null

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
    spelled_out.dcg_kind,
    spelled_out.base,
    spelled_out.ideal,
    spelled_out.tie_rule,
    spelled_out.judged_only,
    spelled_out.known,
    spelled_out.gain_scheme,
    spelled_out.rel,
    spelled_out.measure as list_measure,
    coalesce(spelled_out.cutoff, 1000000000) as shallowest_depth

from spelled_out
