import { expect, it } from "vitest";
import type { Result, Run } from "../../../schemas/index.ts";
import { describeMissingCode } from "../../base/text/missing-code.ts";
import { vector } from "../../packs/corpus/sample.fixture.ts";
import { reportOf, result, rules, violatedResult } from "../../results/sample.fixture.ts";
import { resultOf } from "../../running/run/result.ts";
import { ctrf } from "../ctrf.ts";
import { github } from "../github.ts";
import { html } from "../html/page.ts";
import { jsonl } from "../jsonl.ts";
import { junit } from "../junit.ts";
import { markdown } from "../markdown.ts";
import { sarif } from "../sarif.ts";
import { tap } from "../tap.ts";
import { terminal } from "../terminal.ts";
import { remarksOn } from "./remarks.ts";

const remarks = (...results: Parameters<typeof reportOf>[0]): string[] =>
  reportOf(results).runs.flatMap((run) => remarksOn(run));
const minimal = result({
  id: "sample/1.0/note/valid/minimal",
  outcome: "violates",
  why: "refused, although it is valid: too old",
  answer: { verdict: "rejected", reasons: [] },
});
const lost = (id: string) => result({ id, outcome: "errored", stage: "connect", why: "ECONNREFUSED" });
const threw = (id: string, verdict: "valid" | "invalid") =>
  result({ id, verdict, outcome: "errored", stage: "crash", why: "the module threw Error: no" });

it("says first that the smallest valid message is refused, and explains that before possible consequences", () => {
  const text = terminal.render(reportOf([violatedResult("v"), minimal]), { rules });
  const lines = text.split("\n");
  expect(lines[2]).toBe(
    "The smallest valid message is refused (sample/1.0/note/valid/minimal): too old. The following failures may come from this.",
  );
  expect(text.indexOf("\n  sample/1.0/note/valid/minimal")).toBeLessThan(text.indexOf("\nS-1 MUST"));
  for (const format of [markdown, github, html, sarif, junit, ctrf, tap])
    expect(format.render(reportOf([violatedResult("v"), minimal]), { rules })).toContain(
      "smallest valid message is refused",
    );
  expect(remarks(violatedResult("v"), { ...minimal, known: "failing" })).toEqual([]);
});

it("says how often an implementation ended without a message that is to blame", () => {
  const [run] = reportOf([violatedResult("v")]).runs as [Run];
  const lost = { times: 2, last: "it exited with code 3" };
  expect(remarksOn({ ...run, target: { kind: "mcp", name: "a" }, lost })).toContain(
    "The server ended 2 times without a message to blame, and was started again; its unanswered messages were sent again. The last time: it exited with code 3",
  );
});

it("says once that the smallest valid messages of several documents are refused", () => {
  const of = (document: string) => ({ ...minimal, id: `sample/1.0/${document}/valid/minimal`, document });
  const after = ". The following failures may come from this.";
  expect(remarks(...["note", "list"].map(of))).toEqual([
    expect.stringContaining(`too old. So is that of list${after}`),
  ]);
  const bare = { ...of("note"), why: "refused, although it is valid", cause: { kind: "refused" } as const };
  expect(remarks(bare)).toEqual([`The smallest valid message is refused (${bare.id})${after}`]);
  expect(remarks(...["a", "b", "c"].map(of))).toEqual([expect.stringContaining(`So are those of b and c${after}`)]);
  expect(remarks(...[..."abcdefghi"].map(of))).toEqual([
    expect.stringContaining(`So are those of b, c, d, e, f, g and 2 more${after}`),
  ]);
});

it("says once when a target stopped answering", () => {
  const skipped = result({ id: "s", outcome: "skipped" });
  expect(remarks(result({ id: "a" }), skipped, lost("b"), lost("c"))).toEqual([
    "The target answered until a, and then refused connections: 2 more vectors got no answer.",
  ]);
  const stories = ["S-1", "S-2"].map((rule) => ({ ...lost(`p/1/scenarios/late/${rule}`), kind: "scenario" as const }));
  expect(remarks(result({ id: "a" }), ...stories)).toEqual([
    expect.stringMatching(/: 1 more scenario got no answer\.$/),
  ]);
  expect(remarks(lost("b"), lost("c"))).toEqual([]);
  expect(remarks(lost("b"), lost("c"), result({ id: "a" }))).toEqual([]);
});

it("says once that refusals have no code, for any outcome", () => {
  const answer = {
    verdict: "rejected" as const,
    reasons: [{ message: describeMissingCode("/error/code") }],
    codeless: "/error/code",
  };
  const kept = resultOf(
    { vector: vector({ id: "a", valid: false }), document: { name: "note" } as never },
    { outcome: "conforms", answer },
  );
  expect(kept).toMatchObject({ outcome: "conforms", answer });
  expect(remarks(kept, result({ id: "b" }))).toEqual([
    "1 refusal has no code at /error/code of the body, where the protocol has one: it is seen that this message is refused, but not whether for its fault.",
  ]);
  expect(remarks(kept, violatedResult("c", { answer }))).toEqual([
    "2 refusals have no code at /error/code of the body, where the protocol has one: it is seen that these messages are refused, but not whether for their faults.",
  ]);
  const coded = { verdict: "rejected" as const, reasons: [{ code: "invalid" }] };
  expect(remarks(violatedResult("c", { answer: coded }))).toEqual([]);
});

it("gives a remedy if some vectors got no answer in time", () => {
  const late = result({ id: "b", outcome: "timed-out", stage: "answer", why: "no answer within 5000 ms" });
  expect(remarks(result({ id: "a" }), late)).toEqual([
    "1 vector got no answer in time: --timeout gives more milliseconds to each, and --concurrency runs fewer at once.",
  ]);
  expect(remarks(late)).toEqual([]);
  expect(remarks(result({ id: "a" }), { ...late, kind: "scenario" })).toEqual([]);
});

it("advises a module that throws for invalid messages to return instead", () => {
  const of = (...results: Parameters<typeof reportOf>[0]): string[] =>
    reportOf(results).runs.flatMap((run) => remarksOn({ ...run, target: { kind: "module", name: "x.mjs" } }));
  expect(of(result({ id: "a" }), threw("b", "invalid"))).toEqual([expect.stringContaining("return false or { valid")]);
  // A validator that throws for a valid message has another kind of fault.
  expect(of(threw("a", "valid"), threw("b", "invalid"))).toEqual([]);
  expect(of(threw("b", "invalid"), lost("c"))).toEqual([]);
});

it("names one cause if a member __proto__ is ignored, and nothing else for the same assertion", () => {
  const at = (name: string, site: string) => violatedResult(`sample/1.0/note/invalid/${name}`, { site });
  const some = [
    at("tags.__proto__/unknown-member", "a#/additionalProperties"),
    at("tags/the-value-of-a-member-__proto__-is-not-looked-at", "a#/additionalProperties/type"),
  ];
  expect(remarks(...some, at("title", "a#/properties/title"))).toEqual([
    expect.stringMatching(/^One cause may be behind 2 vectors: a member named __proto__ .* --skip '\*\*\/\*__proto__/),
  ]);
  expect(remarks(...some, at("unknown-member", "a#/additionalProperties"))).toEqual([
    expect.stringContaining("behind 1 vector:"),
  ]);
  expect(remarks(...some.map((result) => ({ ...result, known: "failing" as const })))).toEqual([]);
});

it("attributes each vector whose text ends with a line feed to one cause, under any name", () => {
  const at = (name: string, more: object) => violatedResult(`sample/1.0/note/${name}`, more);
  const some = [
    at("invalid/id/pattern-miss/line-feed-at-the-end", { site: "a#/properties/id/pattern" }),
    at("invalid/id/token-white-space/line-feed", { site: "a#/properties/id/pattern" }),
    at("semantic/SAMPLE-001/final-line-feed", { rule: "SAMPLE-001" }),
  ];
  // Another breach of a semantic rule, which has no site either, is another mistake.
  expect(remarks(...some, at("semantic/SAMPLE-002/late", { rule: "SAMPLE-002" }))).toEqual([
    expect.stringMatching(/^One cause may be behind 3 vectors: a line feed at the end/),
  ]);
  expect(remarks(...some, at("semantic/SAMPLE-001/line-feed", { rule: "SAMPLE-001" }))).toEqual([
    expect.stringMatching(/^One cause may be behind 2 vectors: a line feed at the end/),
  ]);
});

it("names an assertion about which validators disagree in many vectors, but not in one", () => {
  const difference = { by: ["ajv", "hyperjump"], site: "https://example.org/list#/a/contains" };
  const open = (id: string) => result({ id, verdict: "disputed", outcome: "disputed", why: "either way", difference });
  const conforms = Array.from({ length: 20 }, (_, index) => result({ id: `${index}`, outcome: "conforms" }));
  expect(remarks(...conforms, open("a"), open("b"))).toEqual([
    "2 of 22 vectors are disputed: ajv and hyperjump refuse at #/a/contains, and others accept. Wrong answers to them are not reported: to have them judged, express the same with other keywords.",
  ]);
  expect(remarks(...conforms, open("a"))).toEqual([]);
});

it("says that a target refused no invalid message, with a hint, unless only one assertion was selected", () => {
  const accepted = { verdict: "accepted" as const, reasons: [] };
  const all = Array.from({ length: 10 }, (_, index) => ({ ...violatedResult(`v${index}`), answer: accepted }));
  const of = (kind: string, results: typeof all, only: string[] = []): string[] =>
    reportOf(results).runs.flatMap((run) =>
      remarksOn({ ...run, filter: { only, skip: [] }, target: { ...run.target, kind } }),
    );
  const refusedNone = (name: string, advice: string) =>
    expect.stringMatching(`^The ${name} refused none of 10 invalid messages\\. .* ${advice}`);
  expect(of("http", all)).toEqual([refusedNone("server", "whether the address is the right one")]);
  expect(of("http", all.slice(1))).toEqual([]);
  expect(of("module", all)).toEqual([refusedNone("module", "whether it returns")]);
  expect(of("command", all)).toEqual([refusedNone("command", "whether it answers")]);
  expect(of("reference", all)).toEqual([]);
  expect(of("module", all, ["S-1"])).toEqual([]);
  const [first, ...others] = all as [(typeof all)[0], ...typeof all];
  expect(of("module", [{ ...first, rule: "S-2" }, ...others], ["note"])).toHaveLength(1);
});

it("says first what refused valid messages have in common, in every format, and keeps it on its lines", () => {
  const common = {
    document: "note",
    refused: 40,
    accepted: 60,
    by: "refused" as const,
    have: [{ at: "/service", value: "economy" }],
  };
  const withCommon = (...results: Result[]) => {
    const report = reportOf(results);
    return { ...report, runs: report.runs.map((run) => ({ ...run, inCommon: [common] })) };
  };
  const text =
    'All 40 valid messages of note that were refused have "economy" at /service, and none of the 60 accepted ones do.';
  const report = withCommon(violatedResult("v"), minimal);
  expect(terminal.render(report, { rules }).split("\n")[2]).toBe(`${text} The following failures may come from this.`);
  expect(terminal.render(report, { rules }).match(/The following failures may come from this/g)).toHaveLength(1);
  for (const format of [markdown, github, html, sarif, junit, ctrf, tap])
    expect(format.render(report, { rules })).toMatch(/All 40 valid messages of note/);
  expect(jsonl.render(report, { rules })).toContain('"inCommon":[{"document":"note"');
  const lacking = { ...common, by: "accepted" as const, have: [{ at: "/tag" }] };
  expect(remarksOn({ ...(report.runs[0] as Run), inCommon: [lacking] })[0]).toBe(
    "None of the 40 valid messages of note that were refused has a value at /tag, and all 60 accepted ones do. The following failures may come from this.",
  );
  expect(withCommon({ ...minimal, known: "failing" }).runs.flatMap(remarksOn)).toEqual([]);
});

it("says that a refinement refuses, which JSON Schema cannot express", () => {
  const refused = (keyword: string) => ({
    ...minimal,
    answer: { verdict: "rejected" as const, reasons: [{ keyword }] },
  });
  expect(remarks(refused("refinement"))[1]).toMatch(/^It is refused by a refinement/);
  expect(remarks(refused("minLength"))).toHaveLength(1);
});

it("names the documents for which a server refused no violation of the schema, if it refuses other messages", () => {
  const accepted = { verdict: "accepted" as const, reasons: [] };
  const breaking = (id: string) => violatedResult(id, { site: "note#/type" });
  const taken = Array.from({ length: 10 }, (_, index) => ({ ...breaking(`v${index}`), answer: accepted }));
  const of = (...results: Parameters<typeof reportOf>[0]): string[] =>
    reportOf(results).runs.flatMap((run) => remarksOn({ ...run, target: { ...run.target, kind: "http" } }));
  // A report has no answers of conforming results.
  const other = result({ id: "o", document: "other", verdict: "invalid", outcome: "conforms" });
  const output =
    "The server refuses other messages, but none of 10 of note that break its schema: they may not be checked at all.";
  expect(of(...taken, other)).toEqual([output]);
  const unreadable = result({ id: "raw", verdict: "invalid", outcome: "conforms" });
  expect(of(...taken, unreadable)).toEqual([output]);
  expect(of(...taken, other, { ...unreadable, site: "note#/minimum" })).toEqual([]);
  const both = taken.map((each) => ({ ...each, id: `${each.id}/b`, document: "list" }));
  expect(of(...taken, ...both, other)).toEqual([
    expect.stringMatching(/none of 20 of note and list that break their schemas: they may/),
  ]);
});
