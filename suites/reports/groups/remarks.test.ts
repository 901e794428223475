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

const remarksFor = (...results: Parameters<typeof reportOf>[0]): string[] =>
  reportOf(results).runs.flatMap((run) => remarksOn(run));
const minimal = result({
  id: "sample/1.0/note/valid/minimal",
  outcome: "violates",
  why: "refused, although it is valid: too old",
  answer: { verdict: "rejected", reasons: [] },
});
const lostResult = (id: string) => result({ id, outcome: "errored", stage: "connect", why: "ECONNREFUSED" });
const thrownResult = (id: string, verdict: "valid" | "invalid") =>
  result({ id, verdict, outcome: "errored", stage: "crash", why: "the module threw Error: no" });

it("reports a refused smallest valid message first, and shows that failure before others", () => {
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
  expect(remarksFor(violatedResult("v"), { ...minimal, known: "failing" })).toEqual([]);
});

it("counts how often the server ended without a message to blame", () => {
  const [run] = reportOf([violatedResult("v")]).runs as [Run];
  const lost = { times: 2, last: "it exited with code 3" };
  expect(remarksOn({ ...run, target: { kind: "mcp", name: "a" }, lost })).toContain(
    "The server ended 2 times without a message to blame, and was started again; its unanswered messages were sent again. The last time: it exited with code 3",
  );
});

it("reports the refused smallest valid messages of several documents in one remark", () => {
  const refusedMinimal = (document: string) => ({ ...minimal, id: `sample/1.0/${document}/valid/minimal`, document });
  const suffix = ". The following failures may come from this.";
  expect(remarksFor(...["note", "list"].map(refusedMinimal))).toEqual([
    expect.stringContaining(`too old. So is that of list${suffix}`),
  ]);
  const withoutReason = {
    ...refusedMinimal("note"),
    why: "refused, although it is valid",
    cause: { kind: "refused" } as const,
  };
  expect(remarksFor(withoutReason)).toEqual([`The smallest valid message is refused (${withoutReason.id})${suffix}`]);
  expect(remarksFor(...["a", "b", "c"].map(refusedMinimal))).toEqual([
    expect.stringContaining(`So are those of b and c${suffix}`),
  ]);
  expect(remarksFor(...[..."abcdefghi"].map(refusedMinimal))).toEqual([
    expect.stringContaining(`So are those of b, c, d, e, f, g and 2 more${suffix}`),
  ]);
});

it("reports in one remark that the target stopped answering", () => {
  const skipped = result({ id: "s", outcome: "skipped" });
  expect(remarksFor(result({ id: "a" }), skipped, lostResult("b"), lostResult("c"))).toEqual([
    "The target answered until a, and then refused connections: 2 more vectors got no answer.",
  ]);
  const lostScenarios = ["S-1", "S-2"].map((rule) => ({
    ...lostResult(`p/1/scenarios/late/${rule}`),
    kind: "scenario" as const,
  }));
  expect(remarksFor(result({ id: "a" }), ...lostScenarios)).toEqual([
    expect.stringMatching(/: 1 more scenario got no answer\.$/),
  ]);
  expect(remarksFor(lostResult("b"), lostResult("c"))).toEqual([]);
  expect(remarksFor(lostResult("b"), lostResult("c"), result({ id: "a" }))).toEqual([]);
});

it("reports in one remark that refusals have no code, whatever their outcome", () => {
  const answer = {
    verdict: "rejected" as const,
    reasons: [{ message: describeMissingCode("/error/code") }],
    codeless: "/error/code",
  };
  const codelessResult = resultOf(
    { vector: vector({ id: "a", valid: false }), document: { name: "note" } as never },
    { outcome: "conforms", answer },
  );
  expect(codelessResult).toMatchObject({ outcome: "conforms", answer });
  expect(remarksFor(codelessResult, result({ id: "b" }))).toEqual([
    "1 refusal has no code at /error/code of the body, where the protocol has one: it is seen that this message is refused, but not whether for its fault.",
  ]);
  expect(remarksFor(codelessResult, violatedResult("c", { answer }))).toEqual([
    "2 refusals have no code at /error/code of the body, where the protocol has one: it is seen that these messages are refused, but not whether for their faults.",
  ]);
  const answerWithCode = { verdict: "rejected" as const, reasons: [{ code: "invalid" }] };
  expect(remarksFor(violatedResult("c", { answer: answerWithCode }))).toEqual([]);
});

it("suggests a remedy if some vectors were not answered in time", () => {
  const lateResult = result({ id: "b", outcome: "timed-out", stage: "answer", why: "no answer within 5000 ms" });
  expect(remarksFor(result({ id: "a" }), lateResult)).toEqual([
    "1 vector got no answer in time: --timeout gives more milliseconds to each, and --concurrency runs fewer at once.",
  ]);
  expect(remarksFor(lateResult)).toEqual([]);
  expect(remarksFor(result({ id: "a" }), { ...lateResult, kind: "scenario" })).toEqual([]);
});

it("advises a module that throws for invalid messages to return instead", () => {
  const moduleRemarks = (...results: Parameters<typeof reportOf>[0]): string[] =>
    reportOf(results).runs.flatMap((run) => remarksOn({ ...run, target: { kind: "module", name: "x.mjs" } }));
  expect(moduleRemarks(result({ id: "a" }), thrownResult("b", "invalid"))).toEqual([
    expect.stringContaining("return false or { valid"),
  ]);
  // A validator that throws for a valid message has a different fault.
  expect(moduleRemarks(thrownResult("a", "valid"), thrownResult("b", "invalid"))).toEqual([]);
  expect(moduleRemarks(thrownResult("b", "invalid"), lostResult("c"))).toEqual([]);
});

it("names an ignored member __proto__ as a cause, unless other vectors of the assertion fail too", () => {
  const wronglyAccepted = (name: string, site: string) => violatedResult(`sample/1.0/note/invalid/${name}`, { site });
  const protoResults = [
    wronglyAccepted("tags.__proto__/unknown-member", "a#/additionalProperties"),
    wronglyAccepted("tags/the-value-of-a-member-__proto__-is-not-looked-at", "a#/additionalProperties/type"),
  ];
  expect(remarksFor(...protoResults, wronglyAccepted("title", "a#/properties/title"))).toEqual([
    expect.stringMatching(/^One cause may be behind 2 vectors: a member named __proto__ .* --skip '\*\*\/\*__proto__/),
  ]);
  expect(remarksFor(...protoResults, wronglyAccepted("unknown-member", "a#/additionalProperties"))).toEqual([
    expect.stringContaining("behind 1 vector:"),
  ]);
  expect(remarksFor(...protoResults.map((result) => ({ ...result, known: "failing" as const })))).toEqual([]);
});

it("attributes all vectors with a line feed at the end to one cause, whatever their ids", () => {
  const wronglyAccepted = (name: string, more: object) => violatedResult(`sample/1.0/note/${name}`, more);
  const lineFeedResults = [
    wronglyAccepted("invalid/id/pattern-miss/line-feed-at-the-end", { site: "a#/properties/id/pattern" }),
    wronglyAccepted("invalid/id/token-white-space/line-feed", { site: "a#/properties/id/pattern" }),
    wronglyAccepted("semantic/SAMPLE-001/final-line-feed", { rule: "SAMPLE-001" }),
  ];
  // A breach of a different semantic rule, which has no site either, is a different mistake.
  expect(remarksFor(...lineFeedResults, wronglyAccepted("semantic/SAMPLE-002/late", { rule: "SAMPLE-002" }))).toEqual([
    expect.stringMatching(/^One cause may be behind 3 vectors: a line feed at the end/),
  ]);
  expect(
    remarksFor(...lineFeedResults, wronglyAccepted("semantic/SAMPLE-001/line-feed", { rule: "SAMPLE-001" })),
  ).toEqual([expect.stringMatching(/^One cause may be behind 2 vectors: a line feed at the end/)]);
});

it("names an assertion about which validators disagree in many vectors, but not in one", () => {
  const difference = { by: ["ajv", "hyperjump"], site: "https://example.org/list#/a/contains" };
  const disputedResult = (id: string) =>
    result({ id, verdict: "disputed", outcome: "disputed", why: "either way", difference });
  const conformingResults = Array.from({ length: 20 }, (_, index) => result({ id: `${index}`, outcome: "conforms" }));
  expect(remarksFor(...conformingResults, disputedResult("a"), disputedResult("b"))).toEqual([
    "2 of 22 vectors are disputed: ajv and hyperjump refuse at #/a/contains, and others accept. Wrong answers to them are not reported: to have them judged, express the same with other keywords.",
  ]);
  expect(remarksFor(...conformingResults, disputedResult("a"))).toEqual([]);
});

it("reports that a target did not refuse any invalid message, with a hint, unless only one assertion was selected", () => {
  const accepted = { verdict: "accepted" as const, reasons: [] };
  const acceptedResults = Array.from({ length: 10 }, (_, index) => ({
    ...violatedResult(`v${index}`),
    answer: accepted,
  }));
  const remarksForKind = (kind: string, results: typeof acceptedResults, only: string[] = []): string[] =>
    reportOf(results).runs.flatMap((run) =>
      remarksOn({ ...run, filter: { only, skip: [] }, target: { ...run.target, kind } }),
    );
  const refusedNone = (name: string, advice: string) =>
    expect.stringMatching(`^The ${name} refused none of 10 invalid messages\\. .* ${advice}`);
  expect(remarksForKind("http", acceptedResults)).toEqual([
    refusedNone("server", "whether the address is the right one"),
  ]);
  expect(remarksForKind("http", acceptedResults.slice(1))).toEqual([]);
  expect(remarksForKind("module", acceptedResults)).toEqual([refusedNone("module", "whether it returns")]);
  expect(remarksForKind("command", acceptedResults)).toEqual([refusedNone("command", "whether it answers")]);
  expect(remarksForKind("reference", acceptedResults)).toEqual([]);
  expect(remarksForKind("module", acceptedResults, ["S-1"])).toEqual([]);
  const [first, ...others] = acceptedResults as [(typeof acceptedResults)[0], ...typeof acceptedResults];
  expect(remarksForKind("module", [{ ...first, rule: "S-2" }, ...others], ["note"])).toHaveLength(1);
});

it("begins with what the refused valid messages have in common, in every format", () => {
  const sharedFeature = {
    document: "note",
    refused: 40,
    accepted: 60,
    by: "refused" as const,
    have: [{ at: "/service", value: "economy" }],
  };
  const withCommon = (...results: Result[]) => {
    const report = reportOf(results);
    return { ...report, runs: report.runs.map((run) => ({ ...run, inCommon: [sharedFeature] })) };
  };
  const text =
    'All 40 valid messages of note that were refused have "economy" at /service, and none of the 60 accepted ones do.';
  const report = withCommon(violatedResult("v"), minimal);
  expect(terminal.render(report, { rules }).split("\n")[2]).toBe(`${text} The following failures may come from this.`);
  expect(terminal.render(report, { rules }).match(/The following failures may come from this/g)).toHaveLength(1);
  for (const format of [markdown, github, html, sarif, junit, ctrf, tap])
    expect(format.render(report, { rules })).toMatch(/All 40 valid messages of note/);
  expect(jsonl.render(report, { rules })).toContain('"inCommon":[{"document":"note"');
  const missingFeature = { ...sharedFeature, by: "accepted" as const, have: [{ at: "/tag" }] };
  expect(remarksOn({ ...(report.runs[0] as Run), inCommon: [missingFeature] })[0]).toBe(
    "None of the 40 valid messages of note that were refused has a value at /tag, and all 60 accepted ones do. The following failures may come from this.",
  );
  expect(withCommon({ ...minimal, known: "failing" }).runs.flatMap(remarksOn)).toEqual([]);
});

it("explains that the message was refused by a refinement, which JSON Schema cannot express", () => {
  const refusedBy = (keyword: string) => ({
    ...minimal,
    answer: { verdict: "rejected" as const, reasons: [{ keyword }] },
  });
  expect(remarksFor(refusedBy("refinement"))[1]).toMatch(/^It is refused by a refinement/);
  expect(remarksFor(refusedBy("minLength"))).toHaveLength(1);
});

it("names the documents whose schema violations were all accepted by a server that refuses other messages", () => {
  const accepted = { verdict: "accepted" as const, reasons: [] };
  const schemaViolation = (id: string) => violatedResult(id, { site: "note#/type" });
  const acceptedResults = Array.from({ length: 10 }, (_, index) => ({
    ...schemaViolation(`v${index}`),
    answer: accepted,
  }));
  const serverRemarks = (...results: Parameters<typeof reportOf>[0]): string[] =>
    reportOf(results).runs.flatMap((run) => remarksOn({ ...run, target: { ...run.target, kind: "http" } }));
  // Reports do not store the answers of conforming results.
  const otherDocument = result({ id: "o", document: "other", verdict: "invalid", outcome: "conforms" });
  const output =
    "The server refuses other messages, but none of 10 of note that break its schema: they may not be checked at all.";
  expect(serverRemarks(...acceptedResults, otherDocument)).toEqual([output]);
  const unreadable = result({ id: "raw", verdict: "invalid", outcome: "conforms" });
  expect(serverRemarks(...acceptedResults, unreadable)).toEqual([output]);
  expect(serverRemarks(...acceptedResults, otherDocument, { ...unreadable, site: "note#/minimum" })).toEqual([]);
  const listResults = acceptedResults.map((each) => ({ ...each, id: `${each.id}/b`, document: "list" }));
  expect(serverRemarks(...acceptedResults, ...listResults, otherDocument)).toEqual([
    expect.stringMatching(/none of 20 of note and list that break their schemas: they may/),
  ]);
});
