import { describe, expect, it } from "vitest";
import type { Json } from "../../schemas/index.ts";
import { causesOf, type JudgedResult } from "./causes.ts";

const schemas = new Map<string, Json>([
  ["s", { properties: { t: { format: "date-time" }, n: { pattern: "^a$" }, u: { format: "uri" } } }],
]);
const at = { t: "s#/properties/t/format", u: "s#/properties/u/format", n: "s#/properties/n/pattern" };
const judged = (variant: string, more: Partial<JudgedResult>): JudgedResult => ({
  id: `p/1/d/invalid/x/y/${variant}`,
  verdict: "invalid",
  outcome: "violates",
  ...more,
});
const causes = (...results: JudgedResult[]): Record<string, number> => Object.fromEntries(causesOf(results, schemas));

describe("causes", () => {
  it("are grouped by keyword, format and direction, the most frequent first", () => {
    const results = [
      judged("empty", { site: at.t }),
      judged("words", { site: at.t }),
      judged("digits", { site: at.t }),
      judged("no-offset", { site: at.t, outcome: "conforms" }),
      judged("leap-second", { site: at.t, verdict: "valid" }),
      judged("line-feed-at-the-end", { site: at.n, outcome: "warns" }),
      judged("a-line-feed-may-follow-at-the-end", { site: at.n }),
      judged("run-1-full-width-digit-last", { site: at.n }),
      judged("d-matches-digits-of-every-script/12", { site: at.n }),
      judged("other", { site: "s#/required/3" }),
      judged("other", { site: "s#/properties/n/maxLength", verdict: "valid" }),
    ];
    expect(causesOf(results, schemas)[0]).toEqual(["format `date-time` too lax", 3]);
    expect(causes(...results)).toEqual({
      "format `date-time` too lax": 3,
      "leap seconds refused": 1,
      "`$` lets a line feed through": 2,
      "`\\d` takes digits of other scripts": 2,
      "`required` too lax": 1,
      "`maxLength` too strict": 1,
    });
  });

  it("report a format as ignored if every invalid value of it is accepted", () => {
    const ignored = [judged("line-feed-at-the-end", { site: at.u }), judged("empty", { site: at.u, outcome: "warns" })];
    expect(causes(...ignored)).toEqual({ "format `uri` ignored": 2 });
    expect(causes(...ignored, judged("words", { site: at.u, outcome: "conforms" }))).toEqual({
      "format `uri` lets a line feed through": 1,
      "format `uri` too lax": 1,
    });
  });

  it("are the first clause of the error for missing answers, or the member names if only these are affected", () => {
    const crash = (variant: string, why: string): JudgedResult => judged(variant, { outcome: "errored", why });
    const strict = ["the module threw Error: strict mode: one (at x)", "the module threw Error: strict mode: two"];
    const proto = crash("__proto__", "the module threw TypeError: e.validators is not iterable (at _)");
    const python = crash("minimal", "it exited with code 1; it printed last: Trace\\n  File \"x\"\\nKeyError: '$defs'");
    const never = judged("minimal", { outcome: "timed-out", why: "no answer" });
    expect(
      causes(crash("minimal", strict[0] as string), crash("constructor", strict[1] as string), proto, python, never),
    ).toEqual({
      "strict mode": 2,
      "members named `__proto__`, `constructor`, `toString`: crash": 1,
      "ends with KeyError": 1,
      "no end within 5 s": 1,
    });
    expect(causes(judged("named-toString", { site: "s#/additionalProperties" }))).toEqual({
      "members named `__proto__`, `constructor`, `toString`: overlooked": 1,
    });
  });

  it("exclude correct, disputed and skipped vectors", () => {
    const outcomes = ["conforms", "wrong-reason", "disputed", "skipped"] as const;
    expect(causes(...outcomes.map((outcome) => judged("empty", { site: at.t, outcome })))).toEqual({});
  });
});
