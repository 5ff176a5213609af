-- The terms of rrf, as fusion/terms/reciprocals has them.
select
    tuned_terms.* replace (
        1 / (cast($k as double) + tuned_terms.term_1) as term_1,
        1 / (cast($k as double) + tuned_terms.term_2) as term_2,
        1 / (cast($k as double) + tuned_terms.term_3) as term_3,
        1 / (cast($k as double) + tuned_terms.term_4) as term_4,
        1 / (cast($k as double) + tuned_terms.term_5) as term_5,
        1 / (cast($k as double) + tuned_terms.term_6) as term_6,
        1 / (cast($k as double) + tuned_terms.term_7) as term_7,
        1 / (cast($k as double) + tuned_terms.term_8) as term_8
    )

from tuned_terms
