-- Lines of a text file, read as a table with one column. The delimiter is NUL,
-- because no line contains it; in '\0', DuckDB would see a backslash and a
-- zero, which lines can contain.
select
    row_number() over () as line_number,
    text_line
from
    read_csv(
        $path,
        delim = chr(0),
        header = false,
        quote = '',
        escape = '',
        comment = '',
        auto_detect = false,
        compression = 'none',
        columns = { 'text_line': 'VARCHAR' },
        strict_mode = false,
        max_line_size = 67108864,
        -- By default, DuckDB would allocate 16 times the longest line: a GB of
        -- the memory limit.
        buffer_size = 134217728
    )
