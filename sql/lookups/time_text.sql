-- A text as the time of a row.
select $text as time_text
