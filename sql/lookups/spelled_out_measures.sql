-- One row is a registered measure with its parameters spelled out (see settings), in the order in
-- which they were registered. is_taken is whether arrays of hits have all that its formulas read.
select
    settings.*,
    settings.known = 'keep' and reads = 'judgments' and settings.tie_rule is null
    and settings.norm is null and coalesce(settings.ideal, 'judged') = 'judged'
    and not has_own_ideal and gain_scheme <> 'satisfaction' and not settings.judged_only
    and coalesce(relation in ('running_shares', 'eleven_points'), true)
    and discount_kind = 'log2' and settings.base = 2 as is_taken
from settings
inner join measures using (measure)
order by measures.rowid
