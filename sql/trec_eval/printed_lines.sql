-- One row is a line that is printed, with a measure whose value it has (or of
-- several, one), the measure without which it has none, and how the values of
-- queries become that of all.
create temp table printed_lines as
select
    unnest($lines) as line,
    unnest($names) as name,
    unnest(cast($measures as varchar[])) as measure,
    unnest(cast($needs as varchar[])) as needs,
    unnest($summaries) as summary
