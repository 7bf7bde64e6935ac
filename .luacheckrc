-- The names that a scenario may use: the sandbox offers these and no others.
std = {
  read_globals = {
    "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "print", "rawequal",
    "rawget", "rawlen", "require", "select", "setmetatable", "tonumber", "tostring", "type",
    "math", "string", "table", "utf8",
    -- the vocabulary of memcglab
    "scenario", "param", "metric",
  },
}
max_line_length = 100
-- Callbacks have fixed parameters, used or not.
unused_args = false
