-- What a reader of values has to know of a measure: whether a higher value is the
-- better one, and whether unjudged documents can change it. The families that are
-- named here are all that were there so far of which it is not true.

alter table measures add column higher_is_better boolean;

alter table measures add column reads_judgments boolean;

update measures
set
    higher_is_better = family not in (
        'IDCG', 'rbp_resid', 'Popularity', 'Gini', 'unj', 'Judged', 'NumQ',
        'NumRet', 'NumRel', 'num_nonrel_judged_ret'
    ),
    reads_judgments = family not in (
        'Popularity', 'Novelty', 'TailShare', 'ILD', 'Coverage', 'Gini',
        'Entropy'
    );
