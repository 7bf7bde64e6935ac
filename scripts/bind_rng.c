/*
 * Chance: lab.rng and math.random draw from the run's generator, so a seed
 * decides everything.  Both work in setup and run only.
 */
#include <math.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "bind.h"
#include "guard.h"

enum { FRACTION_BITS = 53 };		/* of a double */

static uint64_t draw(lua_State *L, uint64_t n)
{
	return run_random(loaded_of(L)->run, n);
}

/* A whole number from @low to @high, both included. */
static lua_Integer draw_between(lua_State *L, lua_Integer low, lua_Integer high, const char *what)
{
	uint64_t span = (uint64_t)high - (uint64_t)low;

	if (low > high || span == UINT64_MAX)
		host_raise(L, ERR_SCENARIO, "%s: there is no number from %lld to %lld", what,
			   (long long)low, (long long)high);
	return (lua_Integer)((uint64_t)low + draw(L, span + 1));
}

static lua_Integer whole_number(lua_State *L, int index, const char *what)
{
	if (!lua_isinteger(L, index))
		host_raise(L, ERR_SCENARIO, "%s: a whole number is expected, not a %s", what,
			   lua_type(L, index) == LUA_TNUMBER ? "float (divide with //)"
							     : luaL_typename(L, index));
	return lua_tointeger(L, index);
}

static double draw_fraction(lua_State *L)
{
	const uint64_t steps = UINT64_C(1) << FRACTION_BITS;

	return (double)draw(L, steps) / (double)steps;
}

/* math.random(), math.random(n), math.random(low, high) */
static int math_random(lua_State *L)
{
	lua_Integer low = 1;
	int n = lua_gettop(L);

	if (n == 0) {
		lua_pushnumber(L, draw_fraction(L));
		return 1;
	}
	if (n > 1)
		low = whole_number(L, 1, "math.random");
	lua_pushinteger(L, draw_between(L, low, whole_number(L, n > 1 ? 2 : 1, "math.random"),
					"math.random"));
	return 1;
}

static int rng_int(lua_State *L)
{
	lua_Integer low = whole_number(L, 2, "lab.rng:int"), high;

	high = whole_number(L, 3, "lab.rng:int");
	lua_pushinteger(L, draw_between(L, low, high, "lab.rng:int"));
	return 1;
}

/*
 * Zipf by rejection-inversion (Hörmann and Derflinger 1996): the integral of
 * x^-s over [0.5, n + 0.5] is inverted, and what lies above the steps of the
 * wanted distribution is drawn again.
 */
struct zipf { double s, low, high; };

static double integral(const struct zipf *zipf, double x)
{
	double e = 1 - zipf->s;

	return fabs(e) < 1e-9 ? log(x) : (pow(x, e) - 1) / e;
}

static double inverse(const struct zipf *zipf, double y)
{
	double e = 1 - zipf->s;

	return fabs(e) < 1e-9 ? exp(y) : pow(1 + y * e, 1 / e);
}

static lua_Integer draw_zipf(lua_State *L, const struct zipf *zipf, lua_Integer n)
{
	for (;;) {
		double y = zipf->low + draw_fraction(L) * (zipf->high - zipf->low);
		double k = floor(inverse(zipf, y) + 0.5);

		if (k < 1)
			k = 1;
		if (k > (double)n)
			k = (double)n;
		if (y >= integral(zipf, k + 0.5) - pow(k, -zipf->s))
			return (lua_Integer)k;
	}
}

/* lab.rng:zipf(n, s): a rank from 1 to n, 1 the likeliest */
static int rng_zipf_rank(lua_State *L)
{
	lua_Integer n = whole_number(L, 2, "lab.rng:zipf");
	struct zipf zipf = { .s = luaL_optnumber(L, 3, 1.0) };

	if (n < 1 || n > INT64_C(1) << 40 || !(zipf.s > 0 && zipf.s <= 10))
		return host_raise(L, ERR_SCENARIO,
				  "lab.rng:zipf: n from 1 up and an exponent from 0 to 10");
	zipf.low = integral(&zipf, 1.5) - 1;
	zipf.high = integral(&zipf, (double)n + 0.5);
	lua_pushinteger(L, draw_zipf(L, &zipf, n));
	return 1;
}

/* lab.rng:shuffle(t): in place, and returns it */
static int rng_shuffle(lua_State *L)
{
	lua_Integer n;

	luaL_checktype(L, 2, LUA_TTABLE);
	n = luaL_len(L, 2);
	for (lua_Integer i = n; i > 1; i--) {
		lua_Integer j = (lua_Integer)draw(L, (uint64_t)i) + 1;

		lua_geti(L, 2, i);
		lua_geti(L, 2, j);
		lua_seti(L, 2, i);
		lua_seti(L, 2, j);
	}
	lua_settop(L, 2);
	return 1;
}

static const struct bind_function rng_functions[] = {
	{ "int", rng_int, false },
	{ "zipf", rng_zipf_rank, false },
	{ "shuffle", rng_shuffle, false },
	{ NULL, NULL, false }
};

static const struct bind_function math_functions[] = {
	{ "random", math_random, false },
	{ NULL, NULL, false }
};

static const struct guard rng_guard = { "lab.rng", NULL, NULL };

void bind_rng(lua_State *L)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	if (lua_getfield(L, -1, LUA_MATHLIBNAME) == LUA_TTABLE)
		bind_functions(L, math_functions);
	lua_pop(L, 2);
	lua_newtable(L);
	bind_functions(L, rng_functions);
	guard_push(L, &rng_guard);
}
