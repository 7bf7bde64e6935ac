/*
 * The sandbox: what a scenario cannot name, cannot change and cannot see.
 */
#include "scripted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void reading_what_reaches_the_host_is_refused_by_name(void **state)
{
	static const char *const names[] = {
		"io", "os", "debug", "package", "load", "loadfile", "loadstring", "dofile",
		"collectgarbage", "rawset", "coroutine", "xpcall", "_G", "warn",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char body[64], words[64];

		snprintf(body, sizeof(body), "\nlocal f = %s", names[i]);
		snprintf(words, sizeof(words), "x.lua:2: %s is not there: ", names[i]);
		scripted_refused(body, 2, words);
	}
}

static void an_unknown_name_is_refused_with_the_nearest(void **state)
{
	(void)state;
	scripted_refused("pirnt(1)", 1, "unknown name \"pirnt\"; did you mean \"print\"?");
	scripted_refused("\n\nlocal s = strng", 3, "did you mean \"string\"?");
}

static void setting_a_global_is_refused_by_name(void **state)
{
	(void)state;
	scripted_refused("foo = 1", 1, "\"foo\" would be a new global");
	scripted_refused("print = 1", 1, "\"print\" would be a new global");
	scripted_refused("function helper() end", 1, "\"helper\"");
}

static void the_environment_itself_cannot_be_opened(void **state)
{
	(void)state;
	scripted_refused("_ENV.foo = 1", 1, "\"foo\" would be a new global");
	scripted_prints("print(getmetatable(_ENV), pcall(setmetatable, _ENV, {}))",
			"false\tfalse\tx.lua:1: a metatable is set once and for all\n");
}

static void parts_of_libraries_that_leak_are_gone(void **state)
{
	(void)state;
	scripted_refused("string.dump(print)", 1, "string.dump: ");
	scripted_refused("math.randomseed(1)", 1, "math.randomseed: ");
}

static void interface_tables_are_read_only(void **state)
{
	static const char *const tables[] = { "string", "table", "math", "utf8", "param", "lab" };

	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		char body[64], words[64];

		snprintf(body, sizeof(body), "%s.x = 1", tables[i]);
		snprintf(words, sizeof(words), "%s is read-only", tables[i]);
		scripted_refused(body, 1, words);
	}
	scripted_refused("string.format = print", 1, "string is read-only");
	scripted_refused("table.insert(lab, 1)", 1, "lab is read-only");
}

static void the_metatable_of_strings_is_out_of_reach(void **state)
{
	(void)state;
	scripted_prints("print(getmetatable(\"\"))", "false\n");
	scripted_refused("getmetatable(\"\").__index = nil", 1, "attempt to index");
	scripted_prints("print((\"ab\"):rep(2), #\"abc\", (\"x\"):upper())", "abab\t3\tX\n");
}

static void a_binary_chunk_is_refused_and_the_file_is_named(void **state)
{
	struct scripted s;

	(void)state;
	scripted_init(&s);
	assert_false(scripted_load(&s, "\033Lua junk"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:1: this is a compiled Lua chunk");
}

static void pairs_goes_by_integers_then_by_text(void **state)
{
	(void)state;
	scripted_prints("local t = { zeta = 1, alpha = 2, [3] = \"c\", [-1] = \"m\", Beta = 3, "
			"[20] = \"t\" }\n"
			"for k, v in pairs(t) do print(k, v) end",
			"-1\tm\n3\tc\n20\tt\nBeta\t3\nalpha\t2\nzeta\t1\n");
}

static void next_goes_in_the_same_order(void **state)
{
	(void)state;
	scripted_prints("local t, k, v = { b = 1, a = 2, 10, 11 }\n"
			"repeat k, v = next(t, k) print(k, v) until k == nil\n"
			"print(next({}))",
			"1\t10\n2\t11\na\t2\nb\t1\nnil\tnil\nnil\n");
}

static void pairs_refuses_keys_without_an_order(void **state)
{
	(void)state;
	scripted_refused("for k in pairs { [true] = 1 } do end", 1, "key of type boolean");
	scripted_refused("for k in pairs { [{}] = 1 } do end", 1, "key of type table");
	scripted_refused("for k in pairs { [1.5] = 1 } do end", 1, "key of type number");
}

static void pairs_leaves_out_what_was_removed_meanwhile(void **state)
{
	(void)state;
	scripted_prints("local t = { a = 1, b = 2, c = 3 }\n"
			"for k in pairs(t) do print(k) t.b = nil end",
			"a\nc\n");
}

static void pairs_shows_what_a_read_only_table_holds(void **state)
{
	(void)state;
	scripted_prints("local n = 0 for k in pairs(utf8) do n = n + 1 end print(n > 3)", "true\n");
}

static void sorting_keeps_equal_elements_in_order(void **state)
{
	(void)state;
	scripted_prints("local t = {}\n"
			"for i = 1, 500 do t[i] = { key = i * 7919 % 5, nr = i } end\n"
			"table.sort(t, function(a, b) return a.key < b.key end)\n"
			"for i = 2, 500 do\n"
			"  local a, b = t[i - 1], t[i]\n"
			"  assert(a.key < b.key or a.key == b.key and a.nr < b.nr)\n"
			"end\n"
			"local u = { 3, 1, 2 } table.sort(u) print(table.concat(u, \" \"))\n"
			"table.sort({}) print(#t)",
			"1 2 3\n500\n");
}

static void no_text_shows_an_address(void **state)
{
	(void)state;
	scripted_prints("print({}, print, lab, function() end)\n"
			"print(tostring({}), string.format(\"%s|%5s|%d\", {}, print, 3))\n"
			"print((\"%s\"):format(lab))",
			"table\tfunction\tlab\tfunction\ntable\ttable|function|3\nlab\n");
	scripted_refused("print(string.format(\"%p\", {}))", 1, "%p is refused");
	scripted_refused("print(string.format(\"%-20p\", {}))", 1, "%p is refused");
	scripted_prints("print(string.format(\"%%p %d%%\", 5))", "%p 5%\n");
}

static void metatables_work_but_for_garbage_collection(void **state)
{
	(void)state;
	scripted_prints("local C = {} C.__index = C\n"
			"function C.hi(self) return \"hi \" .. self.n end\n"
			"C.__tostring = function(self) return \"<\" .. self.n .. \">\" end\n"
			"local o = setmetatable({ n = 1 }, C)\n"
			"print(o:hi(), o, getmetatable(o) == C, string.format(\"%s\", o))",
			"hi 1\t<1>\ttrue\t<1>\n");
	scripted_refused("setmetatable({}, { __gc = print })", 1, "__gc is refused");
	scripted_refused("setmetatable({}, { __mode = \"k\" })", 1, "__mode is refused");
	scripted_prints("local mt = {} local o = setmetatable({}, mt)\n"
			"mt.__mode = \"k\" print(pcall(setmetatable, o, {}))",
			"false\tx.lua:2: a metatable is set once and for all\n");
}

static void pcall_returns_what_error_raised(void **state)
{
	(void)state;
	scripted_prints("print(pcall(error, \"word\", 0))\n"
			"print(pcall(function(...) return ... end, 1, nil, 3))\n"
			"print(select(2, pcall(function() local x = nil; return x.y end)))",
			"false\tword\ntrue\t1\tnil\t3\n"
			"x.lua:3: attempt to index a nil value (local 'x')\n");
}

/* A folder with one library, made for the test. */
static void with_library(const char *text, const char *body, struct scripted *s)
{
	char folder[] = "build/lib-XXXXXX", path[64], file[80], scenario[512];
	FILE *out;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/lib", folder);
	assert_int_equal(mkdir(path, 0755), 0);
	snprintf(file, sizeof(file), "%s/part.lua", path);
	out = fopen(file, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	scripted_init(s);
	s->lib_dir = folder;
	snprintf(scenario, sizeof(scenario),
		 "local part = require \"lib.part\"\n"
		 "return scenario { name = \"x\", run = function(lab) %s end }",
		 body);
	if (scripted_load(s, scenario))
		scripted_go(s, "v3.3");
	unlink(file);
	rmdir(path);
	rmdir(folder);
	s->lib_dir = NULL;
}

static void require_finds_files_below_the_scripts_folder(void **state)
{
	struct scripted s;

	(void)state;
	with_library("return { twice = function(n) return 2 * n end }",
		     "print(part.twice(21), require \"lib.part\" == part)", &s);
	assert_int_equal(s.err, ERR_OK);
	assert_string_equal(s.log, "42\ttrue\n");
	scripted_close(&s);
}

static void a_library_lives_in_the_same_sandbox(void **state)
{
	struct scripted s;

	(void)state;
	with_library("\nreturn os.time()", "", &s);
	scripted_says(&s, ERR_SCENARIO, "scripts/lib/part.lua:2: os is not there");
	scripted_says(&s, ERR_SCENARIO, "called from x.lua:1");
	scripted_close(&s);
	with_library("return {", "", &s);
	scripted_says(&s, ERR_SCENARIO, "lib/part.lua:1: ");
	scripted_close(&s);
	with_library("\033Lua", "", &s);
	scripted_says(&s, ERR_SCENARIO, "lib/part.lua:1: this is a compiled Lua chunk");
	scripted_close(&s);
}

static void require_leaves_the_folder_by_no_name(void **state)
{
	static const char *const names[] = {
		"../part", "/etc/passwd", "lib..part", "", ".", "lib/x"
	};
	struct scripted s;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[128];

		scripted_init(&s);
		s.lib_dir = "scripts";
		snprintf(text, sizeof(text), "require \"%s\"", names[i]);
		assert_false(scripted_load(&s, text));
		scripted_says(&s, ERR_SCENARIO, "write \"lib.name\"");
	}
	scripted_init(&s);
	s.lib_dir = "scripts";
	assert_false(scripted_load(&s, "require \"lib.no-such\""));
	scripted_says(&s, ERR_SCENARIO, "scripts/lib/no-such.lua: No such file");
}

/* luacheck must know the names that the sandbox has, and no others. */
static void the_linter_lists_the_names_of_the_sandbox(void **state)
{
	static char text[4096];
	FILE *file = fopen(".luacheckrc", "r");
	size_t nr = 0;
	char *at, *end;

	(void)state;
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	at = strstr(text, "read_globals");
	assert_non_null(at);
	end = strstr(at, "},");
	for (at = strchr(at, '"'); at && at < end; at = strchr(at, '"')) {
		char body[128];
		struct scripted s;
		int length = (int)strcspn(++at, "\"");

		snprintf(body, sizeof(body), "assert(%.*s ~= nil)", length, at);
		if (!scripted_body(&s, body))
			fail_msg("%s", s.diag.text);
		scripted_close(&s);
		at += length + 1;
		nr++;
	}
	assert_int_equal(nr, 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_what_reaches_the_host_is_refused_by_name),
		cmocka_unit_test(an_unknown_name_is_refused_with_the_nearest),
		cmocka_unit_test(setting_a_global_is_refused_by_name),
		cmocka_unit_test(the_environment_itself_cannot_be_opened),
		cmocka_unit_test(parts_of_libraries_that_leak_are_gone),
		cmocka_unit_test(interface_tables_are_read_only),
		cmocka_unit_test(the_metatable_of_strings_is_out_of_reach),
		cmocka_unit_test(a_binary_chunk_is_refused_and_the_file_is_named),
		cmocka_unit_test(pairs_goes_by_integers_then_by_text),
		cmocka_unit_test(next_goes_in_the_same_order),
		cmocka_unit_test(pairs_refuses_keys_without_an_order),
		cmocka_unit_test(pairs_leaves_out_what_was_removed_meanwhile),
		cmocka_unit_test(pairs_shows_what_a_read_only_table_holds),
		cmocka_unit_test(sorting_keeps_equal_elements_in_order),
		cmocka_unit_test(no_text_shows_an_address),
		cmocka_unit_test(metatables_work_but_for_garbage_collection),
		cmocka_unit_test(pcall_returns_what_error_raised),
		cmocka_unit_test(require_finds_files_below_the_scripts_folder),
		cmocka_unit_test(a_library_lives_in_the_same_sandbox),
		cmocka_unit_test(require_leaves_the_folder_by_no_name),
		cmocka_unit_test(the_linter_lists_the_names_of_the_sandbox),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
