-- The runs that were evaluated with a judgment set and returned no judged document.
select
    runs.run_id, runs.name
from evaluations
inner join runs using (run_id)
anti join hits using (run_id, judgment_set_id)
where evaluations.judgment_set_id = $judgment_set_id and runs.query_count > 0
order by runs.run_id
