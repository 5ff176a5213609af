-- One row is a judged query, with the value of every preference measure under
-- the name that trec_eval prints, in lower case. A ratio of 0 to 0 is 0; for
-- the measures with the same number of documents not relevant as of relevant
-- ones, it makes the value of the whole query 0.
with group_values as (

    select
        judged_groups.query_id,
        judged_groups.group_number,
        group_counts.possible,
        group_counts.possible_met,
        group_counts.possible_returned,
        group_counts.fulfilled,
        group_counts.fulfilled_returned,
        coalesce(group_counts.fulfilled / nullif(group_counts.possible, 0), 0)
            as ratio,
        coalesce(
            group_counts.fulfilled / nullif(group_counts.possible_met, 0), 0
        ) as ratio_met,
        coalesce(
            group_counts.fulfilled_returned
            / nullif(group_counts.possible_returned, 0),
            0
        ) as ratio_returned,
        even_counts.fulfilled / nullif(even_counts.possible, 0) as even_ratio,
        even_counts.fulfilled_returned
        / nullif(even_counts.possible_returned, 0) as even_ratio_returned

    from judged_groups

    inner join group_counts using (group_number)

    inner join even_counts using (group_number)

),

query_sums as (

    select
        group_values.query_id,
        count(*) as groups,
        sum(group_values.possible) as possible,
        sum(group_values.possible_met) as possible_met,
        sum(group_values.possible_returned) as possible_returned,
        sum(group_values.fulfilled) as fulfilled,
        sum(group_values.fulfilled_returned) as fulfilled_returned,
        sum(group_values.ratio order by group_values.group_number) as ratios,
        sum(group_values.ratio_met order by group_values.group_number)
            as ratios_met,
        sum(group_values.ratio_returned order by group_values.group_number)
            as ratios_returned,
        case
            when count(*) = count(group_values.even_ratio)
                then
                    sum(
                        group_values.even_ratio
                        order by group_values.group_number
                    )
            else 0
        end as even_ratios,
        case
            when count(*) = count(group_values.even_ratio_returned)
                then
                    sum(
                        group_values.even_ratio_returned
                        order by group_values.group_number
                    )
            else 0
        end as even_ratios_returned

    from group_values

    group by group_values.query_id

)

select
    query_sums.query_id,
    query_sums.possible as prefs_num_prefs_poss,
    query_sums.fulfilled as prefs_num_prefs_ful,
    query_sums.fulfilled_returned as prefs_num_prefs_ful_ret,
    coalesce(query_sums.fulfilled / nullif(query_sums.possible, 0), 0)
        as prefs_simp,
    coalesce(
        query_sums.fulfilled_returned / nullif(query_sums.possible_returned, 0),
        0
    ) as prefs_simp_ret,
    coalesce(query_sums.fulfilled / nullif(query_sums.possible_met, 0), 0)
        as prefs_simp_imp,
    coalesce(pair_values.shares / nullif(pair_values.pairs, 0), 0)
        as prefs_pair,
    coalesce(
        pair_values.shares_returned / nullif(pair_values.pairs_returned, 0), 0
    ) as prefs_pair_ret,
    coalesce(pair_values.shares / nullif(pair_values.pairs_met, 0), 0)
        as prefs_pair_imp,
    query_sums.ratios / query_sums.groups as prefs_avgjg,
    query_sums.ratios_returned / query_sums.groups as prefs_avgjg_ret,
    query_sums.ratios_met / query_sums.groups as prefs_avgjg_imp,
    query_sums.even_ratios / query_sums.groups as prefs_avgjg_rnonrel,
    query_sums.even_ratios_returned
    / query_sums.groups as prefs_avgjg_rnonrel_ret

from query_sums

left join pair_values using (query_id)

order by query_sums.query_id
