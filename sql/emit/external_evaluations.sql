-- All rankings are there.
select '' as run_id
where false
