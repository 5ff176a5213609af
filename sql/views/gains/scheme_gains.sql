-- One row is the gain of a grade of a judgment set under a gain scheme: linear
-- (the grade itself), exp (2^grade - 1; Burges et al. 2005), binary (1), or a
-- table of gains, where a grade that is not named keeps itself as its gain. A
-- grade below rel gains nothing. A negative grade means that the document was
-- not judged: it gains nothing. Gains may be infinite here; see grade_gains.
with grades as (

    select distinct
        judgments.judgment_set_id,
        judgments.grade

    from judgments

),

schemes as (

    select distinct
        gain_measures.gain_scheme,
        gain_measures.rel

    from gain_measures

)

select
    grades.judgment_set_id,
    grades.grade,
    schemes.gain_scheme,
    schemes.rel,
    case
        when grades.grade < 0 or grades.grade < schemes.rel then 0
        when schemes.gain_scheme = 'linear' then grades.grade
        when schemes.gain_scheme = 'exp' then power(2, grades.grade) - 1
        when schemes.gain_scheme = 'binary' then 1
        else coalesce(gains.gain, grades.grade)
    end as gain

from grades

cross join schemes

left join gains using (gain_scheme, grade)
