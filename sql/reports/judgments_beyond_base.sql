-- How many judgments the file has beyond those of the set it is built on.
select
    (select count(*) from staged)
    - (select count(*) from base_judgments) as judgments_beyond_base
