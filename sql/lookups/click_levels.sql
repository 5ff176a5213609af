-- The quartiles of the grades above 0 of a judgment set: levels that divide what was
-- clicked into four parts.
select
    quantile_disc(judgments.grade, 0.25) as low,
    quantile_disc(judgments.grade, 0.5) as middle,
    quantile_disc(judgments.grade, 0.75) as high
from judgments
where judgments.judgment_set_id = $judgment_set_id and judgments.grade > 0
