-- The terms times the weights of their runs, as in fusion/steps/weighted.
select
    tuned_terms.* replace (
        tuned_terms.term_1 * list_extract($weights, 1) as term_1,
        tuned_terms.term_2 * list_extract($weights, 2) as term_2,
        tuned_terms.term_3 * list_extract($weights, 3) as term_3,
        tuned_terms.term_4 * list_extract($weights, 4) as term_4,
        tuned_terms.term_5 * list_extract($weights, 5) as term_5,
        tuned_terms.term_6 * list_extract($weights, 6) as term_6,
        tuned_terms.term_7 * list_extract($weights, 7) as term_7,
        tuned_terms.term_8 * list_extract($weights, 8) as term_8
    )

from tuned_terms
