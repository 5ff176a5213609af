-- How many judgments a new set has beyond those of the set it is built on; what
-- has a negative grade is not judged.
select
    (
        select count(*)
        from staged
        where staged.grade >= 0
    )
    - (
        select count(*)
        from base_judgments
        where base_judgments.grade >= 0
    ) as judgments_beyond_base
