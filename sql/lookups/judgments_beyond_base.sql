-- The number of judgments that a new set has in addition to those of the set
-- that it is built on. A negative grade counts as unjudged.
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
