/*
 * The page of a report, see html.h for what stands between braces.  No
 * script, no file from elsewhere; light or dark as the reader's system is,
 * and black on white on paper.
 */
#include "report.h"

const char *const report_page[] = {
	"<!DOCTYPE html>\n",
	"<html lang=\"en\">\n",
	"<head>\n",
	"<meta charset=\"utf-8\">\n",
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
	"<meta name=\"generator\" content=\"memcglab ${program}\">\n",
	"<title>${title}</title>\n",
	"<style>\n",
	":root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: "
	"#59636e; --line: #d1d9e0;\n",
	"  --tint: #f3f5f7; --good: #116329; --bad: #a40e26; }\n",
	"@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #15181c; "
	"--soft: #a3adb8;\n",
	"  --line: #3a424b; --tint: #20252b; --good: #5fd07f; --bad: #ff8f87; } }\n",
	"* { box-sizing: border-box; }\n",
	"body { margin: 0 auto; padding: 1.5rem; max-width: 64rem; color: var(--ink); "
	"background: var(--paper);\n",
	"  font: 16px/1.5 system-ui, sans-serif; }\n",
	"h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: "
	"2rem 0 .5rem;\n",
	"  border-bottom: 1px solid var(--line); }\n",
	"p.sub, figcaption, caption { color: var(--soft); } caption { text-align: left; "
	"padding: .25rem 0; }\n",
	".wide { overflow-x: auto; } .wide:focus { outline: 2px solid var(--soft); }\n",
	"table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: "
	"tabular-nums; }\n",
	"th, td { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top;\n",
	"  border-bottom: 1px solid var(--line); }\n",
	"td.n, th.n { text-align: right; white-space: nowrap; }\n",
	"thead th { white-space: nowrap; } tbody th { font-weight: 500; }\n",
	"tr.differs { background: var(--tint); } .yes { color: var(--good); } .no { "
	"color: var(--bad); font-weight: 600; }\n",
	"pre { background: var(--tint); padding: .75rem; overflow-x: auto; font-size: "
	".85rem; }\n",
	"figure { margin: 1rem 0; } svg { display: block; width: 100%; height: auto; "
	"max-width: 800px; }\n",
	".lines { white-space: pre-line; } details { margin: .5rem "
	"0; } summary { cursor: pointer; color: var(--soft); }\n",
	"@media print { :root { --ink: #000; --paper: #fff; --soft: #333; --line: #999; "
	"--tint: #eee; --good: #000;\n",
	"  --bad: #000; } body { max-width: none; padding: 0; font-size: 10pt; } figure, "
	"tr { break-inside: avoid; }\n",
	"  details:not([open]) { display: none; } .wide { overflow: visible; } }\n",
	"</style>\n",
	"</head>\n",
	"<body>\n",
	"<main>\n",
	"<h1>${title}</h1>\n",
	"<p class=\"sub\">${sub}</p>\n",
	"\n",
	"<h2>What was run</h2>\n",
	"${#scenarios}<p><b>${name}</b>${#claims} \xe2\x80\x93 ${text}${/claims}</p>\n",
	"${/scenarios}<div class=\"wide\" tabindex=\"0\"><table>\n",
	"<caption>Runs, a letter each</caption>\n",
	"<thead><tr><th scope=\"col\">Run</th><th scope=\"col\">Kernel</th><th "
	"scope=\"col\" class=\"n\">Seed</th>\n",
	"<th scope=\"col\">State</th><th scope=\"col\">Verdict</th><th scope=\"col\" "
	"class=\"n\">Steps</th>\n",
	"<th scope=\"col\">Program</th><th scope=\"col\" class=\"n\">Model</th><th "
	"scope=\"col\">Made</th></tr></thead>\n",
	"<tbody>\n",
	"${#runs}<tr><th scope=\"row\">${letter} (${run})</th><td>${kernel_text}</td><td "
	"class=\"n\">${seed}</td><td>${state}</td><td>${verdict}</td><td "
	"class=\"n\">${steps}</td><td>${version}</td><td "
	"class=\"n\">${model}</td><td>${created}</td></tr>\n",
	"${/runs}</tbody></table></div>\n",
	"${#words}<p>${letter}: ${what}: ${text}</p>\n",
	"${/words}\n",
	"<div class=\"wide\" tabindex=\"0\"><table>\n",
	"<caption>Parameters; shaded rows differ</caption>\n",
	"<thead><tr><th scope=\"col\">Parameter</th>${#runs}<th scope=\"col\" "
	"class=\"n\">${letter}</th>${/runs}</tr></thead>\n",
	"<tbody>\n",
	"${#params}<tr${=class}><th scope=\"row\">${name}</th>${#cells}<td "
	"class=\"n\">${value}</td>${/cells}</tr>\n",
	"${/params}</tbody></table></div>\n",
	"\n",
	"<h2>Metrics</h2>\n",
	"<div class=\"wide\" tabindex=\"0\"><table>\n",
	"<caption>Figures of the whole run; shaded rows differ</caption>\n",
	"<thead><tr><th scope=\"col\">Metric</th><th scope=\"col\">Unit</th>${#runs}<th "
	"scope=\"col\" class=\"n\">${letter}</th>${/runs}</tr></thead>\n",
	"<tbody>\n",
	"${#metrics}<tr${=class}><th "
	"scope=\"row\">${name}</th><td>${unit}</td>${#cells}<td "
	"class=\"n\">${value}</td>${/cells}</tr>\n",
	"${/metrics}</tbody></table></div>\n",
	"\n",
	"<h2>Expectations</h2>\n",
	"${#no_expects}<p>The scenario states none.</p>\n",
	"${/no_expects}${#expects}<div class=\"wide\" tabindex=\"0\"><table>\n",
	"<caption>What was expected of ${letter}, and how it came out</caption>\n",
	"<thead><tr><th scope=\"col\">Expectation</th><th scope=\"col\">Label</th><th "
	"scope=\"col\">Holds</th>\n",
	"<th scope=\"col\" class=\"n\">Value</th><th scope=\"col\" "
	"class=\"n\">Wanted</th></tr></thead>\n",
	"<tbody>\n",
	"${#rows}<tr><th scope=\"row\">${text}</th><td>${label}</td><td "
	"class=\"${ok}\">${ok}</td><td class=\"n\">${value}</td><td "
	"class=\"n\">${wanted}</td></tr>\n",
	"${/rows}</tbody></table></div>\n",
	"${/expects}\n",
	"${#compares}<h2>Is the difference real?</h2>\n",
	"<div class=\"wide\" tabindex=\"0\"><table>\n",
	"<caption>A (${nr_a}) against B (${nr_b}): metrics that differ, with the exact "
	"test of Mann and Whitney</caption>\n",
	"<thead><tr><th scope=\"col\">Metric</th><th scope=\"col\" class=\"n\">Mean "
	"A</th><th scope=\"col\" class=\"n\">Mean B</th>\n",
	"<th scope=\"col\" class=\"n\">Difference</th><th scope=\"col\" class=\"n\">95 % "
	"interval</th><th scope=\"col\" class=\"n\">p</th><th "
	"scope=\"col\">Verdict</th></tr></thead>\n",
	"<tbody>\n",
	"${#rows}<tr><th scope=\"row\">${name}</th><td class=\"n\">${a}</td><td "
	"class=\"n\">${b}</td><td class=\"n\">${diff}</td><td "
	"class=\"n\">${interval}</td><td class=\"n\">${p}</td><td>${verdict}</td></tr>\n",
	"${/rows}</tbody></table></div>\n",
	"<p class=\"sub lines\">${notes}</p>\n",
	"${/compares}\n",
	"<h2>Plots</h2>\n",
	"${#plots}<figure>\n",
	"${=picture}\n",
	"<figcaption>${title}</figcaption>\n",
	"<details><summary>Data of this plot</summary>\n",
	"<div class=\"wide\" tabindex=\"0\"><table>\n",
	"<caption>${title}</caption>\n",
	"<thead><tr><th scope=\"col\">Series</th><th scope=\"col\" "
	"class=\"n\">${x}</th><th scope=\"col\" class=\"n\">${y}</th></tr></thead>\n",
	"<tbody>\n",
	"${#rows}<tr><td>${series}</td><td class=\"n\">${x_value}</td><td "
	"class=\"n\">${y_value}</td></tr>\n",
	"${/rows}</tbody></table></div></details>\n",
	"</figure>\n",
	"${/plots}${#missing}<p class=\"sub\">${text}</p>\n",
	"${/missing}${#refused}<p class=\"sub\">No plot of ${what}: ${text}</p>\n",
	"${/refused}\n",
	"<h2>Make it again</h2>\n",
	"<pre>${#again}${line}\n",
	"${/again}</pre>\n",
	"${#scripts}<details><summary>${name}</summary><pre>${text}</pre></details>\n",
	"${/scripts}</main>\n",
	"</body>\n",
	"</html>\n",
	NULL,
};
