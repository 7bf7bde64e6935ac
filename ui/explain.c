/*
 * Words for one reclaim, made from its shrink calls.  The priorities of a
 * saved scan leave no events of their own while they only save, so their
 * parts are computed again from the size of the list on entry, which cannot
 * change before the first call; if the parts do not add up to what was
 * asked, the rest was saved by an earlier reclaim and is said to be so.
 */
#include "explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"

enum { PARTS = 4, BRIEF = 32 };

/* The shrink calls of one reclaim on the list that it ended with. */
struct calls {
	const struct model_shrink *call[MODEL_SHRINKS]; /* oldest first */
	struct model_shrink first, last;
	size_t n, others; /* others: calls on other lists and groups */
	uint64_t asked;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(struct explain *out, const char *fmt, ...);

/* One more line, if there is room for it: the lines come in order of importance. */
static void say(struct explain *out, const char *fmt, ...)
{
	va_list args;

	if (out->n == EXPLAIN_LINES)
		return;
	va_start(args, fmt);
	vsnprintf(out->line[out->n++], EXPLAIN_BYTES, fmt, args);
	va_end(args);
}

/* The last call of the reclaim on @memcg's lists; without one the last of any group. */
static const struct model_shrink *last_call(const struct model_side *side, uint32_t memcg)
{
	const struct model_shrink *last = model_shrink_of(side, memcg);

	return last && last->call >= side->last.first_call ? last
							   : model_shrink(side, side->nr_shrink);
}

/* Returns: false if none is kept. */
static bool collect(const struct model_side *side, uint32_t memcg, struct calls *calls)
{
	const struct model_shrink *last = last_call(side, memcg);

	memset(calls, 0, sizeof(*calls));
	if (!last)
		return false;
	calls->last = *last;
	for (uint64_t k = side->last.first_call; k <= side->nr_shrink; k++) {
		const struct model_shrink *s = model_shrink(side, k);

		if (!s)
			continue;
		if (s->memcg != last->memcg || s->list != last->list) {
			calls->others++;
			continue;
		}
		calls->first = calls->n == 0 ? *s : calls->first;
		calls->call[calls->n++] = s;
		calls->asked += s->nr_to_scan;
	}
	return true;
}

/* "32+10"; more than four parts are told as their sum. */
static const char *parts(const struct calls *calls, size_t offset, char out[EXPLAIN_BYTES])
{
	uint64_t sum = 0;
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < calls->n; i++) {
		uint64_t value;

		memcpy(&value, (const char *)calls->call[i] + offset, sizeof(value));
		sum += value;
		if (calls->n <= PARTS)
			len += (size_t)snprintf(out + len, EXPLAIN_BYTES - len, "%s%" PRIu64,
						i ? "+" : "", value);
	}
	if (calls->n > PARTS)
		fmt_count(sum, out);
	return out;
}

/* A group's path where there is room for little: a long one loses its middle. */
static const char *brief(const struct model_side *side, uint32_t memcg, char out[BRIEF])
{
	struct run_memcg m;
	size_t n;

	if (!side->run || !run_memcg(side->run, memcg, &m))
		return "a removed group";
	n = strlen(m.path);
	if (n < BRIEF)
		snprintf(out, BRIEF, "%.31s", n ? m.path : "root");
	else
		snprintf(out, BRIEF, "%.13s...%s", m.path, m.path + n - 13);
	return out;
}

/* Which charge met which limit.  A limit that was lowered reclaims without any charge. */
static void say_hit(const struct model_side *side, char letter, struct explain *out)
{
	const struct model_reclaim *last = &side->last;
	char step[UNITS_TEXT_MAX], usage[UNITS_TEXT_MAX], limit[UNITS_TEXT_MAX];
	char fail[UNITS_TEXT_MAX];
	struct run_memcg m;

	fmt_count(last->step, step);
	if (last->memcg == 0 || !run_memcg(side->run, last->memcg, &m)) {
		say(out, "%c op %s: reclaim that no charge asked for (a limit was set)", letter,
		    step);
		return;
	}
	say(out, "%c op %s: %s at %s + %" PRIu64 " > limit %s, failcnt %s  [%s]", letter, step,
	    m.path[0] ? m.path : "root", fmt_count(last->usage, usage), last->pages,
	    fmt_count(last->limit, limit), fmt_count(last->failcnt, fail),
	    rule_at(RULE_CHARGE_LIMIT)->code);
}

/* "25 531 >> 12, 11, 10 = 6+12+24 = 42": what the priorities up to the last asked for. */
static void say_targets(const struct model_side *side, const struct calls *calls,
			struct explain *out)
{
	uint64_t top = (uint64_t)run_scenario(side->run)->era.knobs.def_priority;
	const struct model_shrink *first = &calls->first, *last = &calls->last;
	char size[UNITS_TEXT_MAX], shifts[EXPLAIN_BYTES] = "", sum_text[EXPLAIN_BYTES] = "";
	/* Whose list it was is said where that is not the group that met its limit. */
	bool other = last->memcg != side->last.memcg;
	char group[BRIEF];
	const char *of = other ? brief(side, last->memcg, group) : "", *colon = other ? ": " : "";
	uint64_t sum = 0;
	size_t a = 0, b = 0;

	for (uint64_t prio = top; prio >= last->priority && prio <= top && prio < 64; prio--) {
		bool lead = prio != top;

		a += (size_t)snprintf(shifts + a, sizeof(shifts) - a, "%s%" PRIu64,
				      lead ? ", " : "", prio);
		b += (size_t)snprintf(sum_text + b, sizeof(sum_text) - b, "%s%" PRIu64,
				      lead ? "+" : "", first->size >> prio);
		sum += first->size >> prio;
	}
	fmt_count(last->rule == RULE_SCAN_SAVED ? first->size : last->size, size);
	if (last->rule == RULE_SCAN_SAVED && sum <= calls->asked)
		say(out, "  %s%s%s >> %s = %s = %" PRIu64 " saved%s, then run  [%s]", of, colon,
		    size, shifts, sum_text, sum,
		    sum < calls->asked ? " on top of earlier rest" : "", rule_at(last->rule)->code);
	else
		say(out,
		    "  %s%s%s pages, prio %" PRIu64 ": %s >> %" PRIu64 " = %" PRIu64 "  [%s %s]",
		    of, colon, lru_name(last->list), last->priority, size, last->priority,
		    last->size >> (last->priority & 63), rule_at(last->rule)->code,
		    rule_at(last->rule)->name);
}

/* What was asked, taken and freed by each call, and what stays saved for the next time. */
static void say_sums(const struct model_side *side, const struct calls *calls, struct explain *out)
{
	const struct model_shrink *last = &calls->last;
	char asked[EXPLAIN_BYTES], taken[EXPLAIN_BYTES], freed[EXPLAIN_BYTES];
	char saved[UNITS_TEXT_MAX];
	struct run_memcg m;

	parts(calls, offsetof(struct model_shrink, nr_to_scan), asked);
	parts(calls, offsetof(struct model_shrink, nr_taken), taken);
	parts(calls, offsetof(struct model_shrink, nr_reclaimed), freed);
	fmt_count(side->run && run_memcg(side->run, last->memcg, &m) ? m.saved[last->list] : 0,
		  saved);
	if (calls->n > PARTS)
		say(out, "  %zu calls asked %s, isolated %s, freed %s, saved now %s", calls->n,
		    asked, taken, freed, saved);
	else
		say(out, "  asked %s, isolated %s, freed %s, saved now %s", asked, taken, freed,
		    saved);
}

/* The rules behind it, each once, with what they mean and where they come from. */
static void say_rules(const struct calls *calls, struct explain *out)
{
	uint64_t seen = 1u << RULE_NONE;

	say(out, "  rules:");
	say(out, "  %s  %s", rule_at(RULE_CHARGE_LIMIT)->code, rule_at(RULE_CHARGE_LIMIT)->doc);
	for (size_t i = 0; i < calls->n; i++) {
		const struct rule_desc *rule = rule_at(calls->call[i]->rule);

		if (seen >> calls->call[i]->rule & 1)
			continue;
		seen |= (uint64_t)1 << calls->call[i]->rule;
		say(out, "  %s  %s", rule->code, rule->doc);
		say(out, "      after %s", rule->source);
	}
}

/* One call in full, for panes with room. */
static void say_call(const struct model_shrink *s, struct explain *out)
{
	char call[UNITS_TEXT_MAX], size[UNITS_TEXT_MAX];

	say(out,
	    "  call %s: prio %" PRIu64 ", asked %" PRIu64 ", isolated %" PRIu64 ", freed %" PRIu64
	    " of %s  [%s]",
	    fmt_count(s->call, call), s->priority, s->nr_to_scan, s->nr_taken, s->nr_reclaimed,
	    fmt_count(s->size, size), rule_at(s->rule)->code);
}

void explain_reclaim(const struct model_side *side, char letter, uint32_t memcg,
		     struct explain *out)
{
	const struct model_reclaim *last = &side->last;
	struct calls calls;

	out->n = 0;
	if (!side->run || last->first_call == 0) {
		bool end = side->run && run_steps(side->run) >= side->steps_total;

		say(out, "%c no reclaim %s: no charge met its limit", letter,
		    end ? "in this run" : "up to this step");
		if (!end)
			say(out, "  Space plays on, $ goes to the last step");
		return;
	}
	say_hit(side, letter, out);
	if (last->first_call > side->nr_shrink || !collect(side, memcg, &calls)) {
		say(out, "  no list had anything to shrink at any priority");
		return;
	}
	say_targets(side, &calls, out);
	say_sums(side, &calls, out);
	if (last->ended)
		say(out,
		    "  the loop ended at prio %" PRIu64 ": scanned %" PRIu64 ", freed %" PRIu64
		    ", %s",
		    last->priority, last->nr_scanned, last->nr_reclaimed,
		    last->returned ? "which counts as progress" : "no progress");
	if (calls.others)
		say(out, "  and %zu calls on other lists or groups (view 4)", calls.others);
	say_rules(&calls, out);
	for (size_t i = 0; i < calls.n && i < 8; i++)
		say_call(calls.call[i], out);
}
