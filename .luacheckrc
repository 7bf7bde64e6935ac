-- The names that a scenario may use: the sandbox offers these and no others.
std = {
  read_globals = {
    "assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "print", "rawequal",
    "rawget", "rawlen", "rawset", "require", "select", "setmetatable", "tonumber", "tostring",
    "type", "xpcall", "_VERSION",
    "math", "string", "table", "utf8", "coroutine",
    -- the vocabulary of memcglab
    "scenario", "param", "metric", "memcglab", "units",
  },
}
max_line_length = 100
-- Callbacks have fixed parameters, used or not.
unused_args = false
