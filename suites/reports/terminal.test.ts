import { describe, expect, it } from "vitest";
import type { Answer, Level, Result } from "../../schemas/index.ts";
import { skipByStatus, skipNeverAsked, skipNotServed } from "../base/text/skips.ts";
import { hostile, reportOf, result, rules, violatedResult } from "../results/sample.fixture.ts";
import { html as page } from "./html/page.ts";
import { combine } from "./merging/merged-report.ts";
import { terminal } from "./terminal.ts";

const conforming = result({ id: "sample/1.0/note/valid/a" });

describe("terminal", () => {
  it("explains a violation: rule, change, expected, got, and how to repeat it", () => {
    const text = terminal.render(reportOf([conforming, violatedResult("sample/1.0/note/invalid/title/too-short")]), {
      rules,
    });
    expect(text).toBe(`Does not conform: 1 of 2 vectors violated, 1 rule broken.
sample 1.0 against http://localhost:1: 1 of 2 conform, 1 violate

S-1 MUST · clause 4.2 · 1 of 1 vector violated
A title has at least one character.
  sample/1.0/note/invalid/title/too-short
    the title is empty
    change    replace /title by ""
    expected  refused
    got       accepted
    replay    npx touchstone replay sample/1.0/note/invalid/title/too-short --http http://localhost:1
`);
    const why = "refused, although it is valid: too old";
    const answer = { verdict: "rejected", reasons: [{ message: "too old" }] } as const;
    const namedDifferently = violatedResult("v", {
      verdict: "valid",
      why,
      answer: { ...answer, reasons: [...answer.reasons] },
    });
    expect(terminal.render(reportOf([namedDifferently]), { rules })).toContain(
      "    got       refused\n    why       too old\n",
    );
  });

  it("names an assertion without a rule by its place in the user's file, and counts it as an assertion", () => {
    const { rule: _, ...assertionFailure } = violatedResult("sample/1.0/note/invalid/count/above-maximum");
    const site = "https://x.example/note.json#/properties/count/maximum";
    const report = reportOf([{ ...assertionFailure, site }, violatedResult("sample/1.0/note/invalid/title/too-short")]);
    const sourceOf = (failureAt: string) =>
      failureAt === site ? { file: "note/note.schema.json", line: 6, column: 47 } : undefined;
    const text = terminal.render(report, { rules, sourceOf });
    expect(text).toMatch(/^Does not conform: 2 of 2 vectors violated, 1 rule and 1 assertion broken\.$/m);
    expect(text).toMatch(/^note\/note\.schema\.json:6:47 #\/properties\/count\/maximum 1 of 1 vector violated$/m);
    expect(terminal.render(report, { rules })).toMatch(
      /^note\.json#\/properties\/count\/maximum 1 of 1 vector violated$/m,
    );
    const { site: __, ...withoutSite } = assertionFailure;
    const ids = ["valid/title", "raw/spacing/none"].map((id) => ({ ...withoutSite, id: `sample/1.0/note/${id}` }));
    const refusedText = terminal.render(reportOf([...ids, withoutSite]), { rules });
    expect(refusedText).toMatch(/^Does not conform: 3 of 3 vectors violated\.$/m);
    expect(refusedText.match(/^note: .*$/gm)).toEqual([
      "note: valid messages 1 of 1 vector violated",
      "note: how the JSON text is written 1 of 1 vector violated",
      "note: invalid messages 1 of 1 vector violated",
    ]);
  });

  it("shows two vectors of each rule, the second one briefly, and where to find the others", () => {
    const failures = Array.from({ length: 14 }, (_, index) => violatedResult(`v${index}`));
    const report = reportOf([...failures, violatedResult("o", { rule: "S-2" })]);
    const text = terminal.render(report, { rules });
    const fuzzFailures = failures.map((result) => ({ ...result, id: `sample/1.0/note/invalid/fuzz/1/${result.id}` }));
    expect(terminal.render(reportOf(fuzzFailures), { rules })).toMatch(
      /fuzz\/1\/v1\n {4}change .*\n {4}message {3}\{.*\n {2}and 12/,
    );
    expect(text).toContain("14 of 14 vectors violated");
    expect(text.match(/and 12 more vectors/gi)).toHaveLength(1);
    expect(text).toMatch(/^ {2}v1\n {4}change {4}replace \/title by ""\n {2}and 12/m);
    expect(text).not.toMatch(/^ {2}v2$/m);
    expect(text).toMatch(/^S-2 1 of 1 vector violated$/m);
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      `All of them: ${report.command} --verbose, or --report html=report.html for a page`,
    );
    expect(terminal.render(report, { rules, written: ["report/x.html"] })).toMatch(
      /\nAll of them: report\/x\.html, or npx touchstone run .* --verbose\n$/,
    );
    const verbose = terminal.render(report, { rules, verbose: true });
    for (const { id } of failures) expect(verbose).toMatch(new RegExp(`^ {2}${id}$`, "m"));
    expect(verbose).not.toMatch(/more vectors/);
    expect(verbose).toMatch(/^document +vectors +conforms +violates$/m);
  });

  it("shows at most ten rules, with a share for each protocol", () => {
    const manyFailures = (protocol: string) =>
      Array.from({ length: 600 }, (_, index) =>
        violatedResult(`${protocol}/${index}`, { rule: `${protocol}-${index % 60}` }),
      );
    const [one] = reportOf(manyFailures("A")).runs;
    const [otherFault] = reportOf(manyFailures("B").slice(0, 3)).runs;
    const report = reportOf([], {
      runs: [{ ...one, protocol: "a" } as never, { ...otherFault, protocol: "b" } as never],
    });
    const text = terminal.render(report, { rules });
    expect(text.split("\n").length).toBeLessThan(150);
    expect(
      text
        .match(/^[AB]-\d+ /gm)
        ?.map(([first]) => first)
        .join(""),
    ).toBe("AAAAAAABBB");
    expect(text).toContain("And 53 more rules, 586 more vectors: ");
    const [first, second, remark, third] = text.split("\n");
    expect(first).toBe("Does not conform: 603 of 603 vectors violated, 63 rules broken.");
    expect(second).toMatch(/^a 1\.0 .*: 0 of 600 conform, 600 violate$/);
    expect(remark).toContain("refused none of 600 invalid messages");
    expect(third).toMatch(/^b 1\.0 /);
  });

  it("merges assertions that probably fail because of one mistake", () => {
    const { rule: _, ...assertionFailure } = violatedResult("");
    const reportOn = (site: string, name: string): Result => ({
      ...assertionFailure,
      id: `sample/1.0/note/invalid/${name}`,
      site,
    });
    const lineFeedFailures = Array.from({ length: 14 }, (_, index) =>
      reportOn(`a#/p/${index}/pattern`, `${index}/line-feed-at-the-end`),
    );
    const more = reportOn("a#/p/3/pattern", "3/a-line-feed-may-follow-at-the-end");
    const other = reportOn("a#/p/0/pattern", "0/one-more");
    const text = terminal.render(reportOf([...lineFeedFailures, more, reportOn("a#/q/minLength", "q/too-short")]), {
      rules,
    });
    const [first = "", ...rest] = text.split(/^(?=a#)/m);
    expect(first).toMatch(/^One cause may be behind 15 vectors: a line feed at the end /m);
    expect(rest).toHaveLength(2);
    expect(rest[0]).toMatch(
      /^a#\/p\/0\/pattern 1 of 1 [\s\S]*\nThe same at 13 more assertions:\n {2}a#\/p\/1\/pattern 1 of 1 .*: \S+\n/,
    );
    expect(rest[0]).toMatch(/\n {2}a#\/p\/3\/pattern 2 of 2 .*\n/);
    expect(rest[1]).toMatch(/^a#\/q\/minLength [\s\S]*\nAnd 1 more vector: /);
    const separateCauses = terminal.render(reportOf([...lineFeedFailures.slice(0, 3), other]), { rules });
    expect(separateCauses.match(/^a#\S+/gm)).toEqual(["a#/p/0/pattern", "a#/p/1/pattern"]);
    expect(separateCauses).toContain("\nThe same at 1 more assertion:\n  a#/p/2/pattern 1 of 1");
    const verbose = terminal.render(reportOf(lineFeedFailures), { rules, verbose: true });
    expect(verbose.match(/^a#\S+/gm)).toHaveLength(14);
  });

  it("shows possible consequences after their causes", () => {
    const consequence = violatedResult("a", { rule: "S-9", follows: "S-1" });
    const text = terminal.render(reportOf([consequence, violatedResult("b")]), { rules });
    expect(text.indexOf("S-1 MUST")).toBeLessThan(text.indexOf("S-9 "));
  });

  it("has a column for every outcome that occurred, and keeps levels apart", () => {
    const text = terminal.render(
      reportOf([
        conforming,
        violatedResult("w", { level: "SHOULD", outcome: "warns" }),
        violatedResult("r", { outcome: "wrong-reason" }),
        result({ id: "s", outcome: "skipped", why: "needs raw-text" }),
        result({ id: "e", outcome: "errored", stage: "read", why: "HTTP 500" }),
        result({ id: "t", outcome: "timed-out", stage: "answer", why: "no answer within 5 ms" }),
        result({ id: "d", verdict: "disputed", outcome: "disputed", why: "the target treats it as valid" }),
      ]),
      { rules, verbose: true },
    );
    expect(text).toMatch(
      /document +vectors +conforms +violates +warns +wrong-reason +disputed +skipped +errored +timed-out/,
    );
    expect(text).toMatch(/SHOULD +1 +0 +0 +1/);
    expect(text).toContain("1 of 7 vectors skipped: needs raw-text");
    expect(text).toMatch(/^No usable answer \(stage read\) 1 of 6 vectors errored$/m);
    expect(text).toContain(
      "1 of 6 run conform, 1 warn, 1 refused for another cause, 1 disputed, 1 errored, 1 timed out; 1 skipped",
    );
    expect(text.match(/Disputed: validators or readings of the specification differ/g)).toHaveLength(1);
  });

  it("names readings that would decide disputed vectors, ordered by the number of vectors", () => {
    const disputed = (id: string, ...decidedBy: string[]) =>
      result({ id, verdict: "disputed", outcome: "disputed", why: "either", ...(decidedBy[0] ? { decidedBy } : {}) });
    const disputedNoteFor = (...results: Parameters<typeof reportOf>[0]) =>
      /^Disputed: .*no implementation fails\.(.*)$/m.exec(
        terminal.render(reportOf([conforming, ...results]), { rules }),
      )?.[1];
    expect(disputedNoteFor(disputed("a"))).toBe("");
    expect(disputedNoteFor(disputed("a", "strict"), disputed("b", "lax", "strict"), disputed("c"))).toBe(
      " --reading strict decides 2 of them, --reading lax 1.",
    );
    expect(disputedNoteFor(disputed("a", "one", "two", "three", "four", "five"))).toMatch(
      / four 1; .*touchstone.* list readings has more\.$/,
    );
    expect(disputedNoteFor(conforming)).toBeUndefined();
  });

  it("with `brief`, shows only the summary and a line for each of at most ten failing rules", () => {
    const renderBrief = (...results: Parameters<typeof reportOf>[0]) =>
      terminal.render(reportOf(results), { rules, brief: true });
    const warned = violatedResult("w", { rule: "S-3", outcome: "warns" });
    expect(
      renderBrief(
        violatedResult("v"),
        violatedResult("x"),
        conforming,
        warned,
        violatedResult("k", { known: "failing" }),
      ),
    ).toBe(
      `Does not conform: 2 of 5 vectors violated, 1 rule broken.
sample 1.0 against http://localhost:1: 1 of 5 conform, 3 violate, 1 warn
  S-1 2 of 3 vectors violated: v
`,
    );
    const manyLines = renderBrief(
      ...Array.from({ length: 13 }, (_, index) => violatedResult(`v${index}`, { rule: `S-${index}` })),
    );
    expect(manyLines.match(/^ {2}S-\d+ 1 of 1 vector violated: v\d+$/gm)).toHaveLength(10);
    expect(manyLines.trimEnd().split("\n").at(-1)).toBe("  and 3 more rules");
    const errored = {
      outcome: "errored",
      stage: "answer",
      why: "HTTP 404: nothing is at /v1; it said: gone",
      cause: skipByStatus(404, "nothing is at /v1", "gone").cause,
    } as const;
    expect(renderBrief(result({ id: "e", ...errored }), result({ id: "f", ...errored }))).toMatch(
      /^ {2}No usable answer \(stage answer\) 2 of 2 vectors errored: e: HTTP 404: nothing is at \/v1$/m,
    );
    expect(renderBrief(conforming)).toMatch(/^Conforms: no vector is violated\.\n[^\n]+\n$/);
  });

  it("says why a target could not be run, and does not call it conforming", () => {
    const report = reportOf([], { complete: false, exitCode: 3 });
    (report.runs[0] as (typeof report.runs)[0]).failure = { stage: "open", message: "no such file\n  name another" };
    const text = terminal.render(report, { rules });
    expect(text).toContain("failed at open: no such file\n    name another");
    expect(text).not.toMatch(/conforms/i);
    expect(terminal.render(reportOf([conforming], { complete: false, exitCode: 3 }), { rules })).toContain(
      "Interrupted",
    );
    expect(terminal.render(reportOf([result({ id: "s", outcome: "skipped" })], { exitCode: 3 }), { rules })).toContain(
      "Not shown to conform",
    );
  });

  it("escapes control characters in texts of the implementation", () => {
    const hostileResult = violatedResult(`id${hostile}`, {
      description: hostile,
      rule: hostile,
      document: hostile,
      why: hostile,
      vector: { raw: hostile, change: [{ op: "add", path: `/${hostile}`, value: hostile }] },
    });
    const report = reportOf([hostileResult, result({ id: "s", outcome: "skipped", why: hostile })]);
    (report.runs[0] as (typeof report.runs)[0]).target.name = hostile;
    const text = terminal.render(report, { rules });
    expect(text).toContain("\\u001b[31m");
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it("says which part of the vectors was run", () => {
    const report = reportOf([conforming]);
    (report.runs[0] as (typeof report.runs)[0]).shard = { index: 2, count: 4 };
    expect(terminal.render(report, { rules })).toContain("against http://localhost:1, shard 2 of 4: ");
  });

  it("lists the events of a race one by one", () => {
    const why = "no order explains this\n0-2 ms p: write 1\n3-4 ms q: read 0";
    const raceResult = violatedResult("s", { kind: "race", why });
    expect(terminal.render(reportOf([raceResult]), { rules })).toContain(
      "why       no order explains this\n    1         0-2 ms p: write 1\n    2         3-4 ms q: read 0\n",
    );
    expect(terminal.render(reportOf([violatedResult("v", { why })]), { rules })).toContain(
      "explains this\\u000a0-2 ms p",
    );
  });

  it("lists skipped vectors: first reasons that hooks, credentials, endpoints and claims would remove, then one line for vectors never sent to a server", () => {
    const skip = (id: string, why: string) => result({ id, outcome: "skipped", why });
    const neverAskedCauses = ["it sends this document", "it travels inside another"].map((reason) =>
      skipNeverAsked(reason, "part"),
    );
    const neverAskedResults = Array.from({ length: 30 }, (_, index) =>
      result({ id: `v${index}`, outcome: "skipped", ...neverAskedCauses[index % 2] }),
    );
    const removableReasons = [
      'needs the hook "secret"',
      "no endpoint is known for x: …",
      "waits for 60 s …",
      "needs a target that claims lint: …",
    ];
    const scenarioResults = removableReasons.map((why, index) => skip(`sample/1.0/scenarios/s${index}/S-1`, why));
    const otherResults = Array.from({ length: 5 }, (_, index) => skip(`o${index}`, `it came so ${index}`));
    const text = terminal.render(reportOf([conforming, ...neverAskedResults, ...otherResults, ...scenarioResults]), {
      rules,
    });
    expect(text.slice(text.indexOf("Skipped"))).toBe(`Skipped
${removableReasons.map((why) => `  1 scenario: ${why}`).join("\n")}
  1 vector: it came so 0
  1 vector: it came so 1
  1 vector: it came so 2
  2 more reasons; --verbose names all
  30 vectors: never sent to a server, or impossible to send; --verbose gives the reasons
`);
  });

  it("names a reason for skipping once, for all runs and valid parents", () => {
    const skip = (id: string, why: string) => result({ id, outcome: "skipped", why });
    const refused = (id: string, parent: string) =>
      skip(id, `its valid parent is refused (${parent}), so a refusal shows nothing`);
    const [one] = reportOf([refused("a", "p/1"), refused("b", "p/1"), skip("c", "no clock")]).runs;
    const [other] = reportOf([refused("d", "q/1"), skip("e", "no clock")]).runs;
    const report = reportOf([], { runs: [one as never, { ...other, protocol: "other" } as never] });
    const text = terminal.render(report, { rules });
    expect(text.slice(text.indexOf("Skipped"))).toBe(`Skipped
  3 vectors: a valid parent is refused, so a refusal shows nothing (2 parents, the first p/1)
  2 vectors: no clock
`);
    expect(terminal.render(reportOf([refused("a", "p/1")]), { rules })).toContain(
      "its valid parent is refused (p/1), so",
    );
  });

  it("names an unjudged status only once, with the text of the first answer", () => {
    const skip = (id: string, body: string) =>
      result({ id, outcome: "skipped", ...skipByStatus(409, "it is refused for what the server has", body) });
    const text = terminal.render(reportOf([conforming, skip("a", "one"), skip("b", "two"), skip("c", "two")]), {
      rules,
    });
    expect(text.slice(text.indexOf("Skipped"))).toBe(
      "Skipped\n  3 vectors: HTTP 409: it is refused for what the server has; it said, the first time: one\n",
    );
  });

  it("leaves out the advice about missing names if another name of the document exists", () => {
    const skip = skipNotServed(404, "give the document an example", "");
    const missingNames = ["a", "b", "c"].map((id) => result({ id, outcome: "skipped", ...skip }));
    const onlyMissing = terminal.render(reportOf(missingNames), { rules });
    expect(onlyMissing).toContain("give the document an example");
    const text = terminal.render(reportOf([conforming, ...missingNames]), { rules });
    expect(text).toMatch(/^Conforms: no vector is violated\./);
    expect(text).toContain(
      "  3 vectors: HTTP 404: the server has nothing at this path, as it may say to valid and invalid requests alike\n",
    );
  });

  it("bases its conclusion on the last run of an implementation, as the page does, and shows when each run began", () => {
    const at = (day: number, ...results: Result[]) => reportOf(results, { started: `2026-01-${day}T09:30:00.000Z` });
    const combined = combine([at(15, violatedResult("v")), at(16, conforming)]);
    const text = terminal.render(combined, { rules });
    expect(text).toMatch(/^The last run: Conforms: no vector is violated\.$/m);
    expect(text).toMatch(
      /^sample .*, 2026-01-15 09:30:00 UTC: 0 of 1 [\s\S]*^sample .*, 2026-01-16 09:30:00 UTC: 1 of 1 /m,
    );
    expect(page.render(combined, { rules })).toContain('<h1 class="good">Conforms: no vector is violated.');
    const combinedWithLateFailure = combine([at(16, violatedResult("v")), at(15, conforming)]);
    expect(terminal.render(combinedWithLateFailure, { rules })).toMatch(
      /^The last run: Does not conform: 1 of 1 vector violated/m,
    );
  });

  it("says that the answer breaks the rule if a valid message was accepted in a wrong way", () => {
    const answer: Answer = { verdict: "accepted", reasons: [] };
    const text = terminal.render(reportOf([violatedResult("v", { verdict: "valid", answer })]), { rules });
    expect(text).toMatch(
      /expected +accepted, by an answer that keeps the rule\n +got +accepted, by an answer that breaks it/,
    );
    const refused = violatedResult("v", { verdict: "valid", answer: { ...answer, verdict: "rejected" } });
    expect(terminal.render(reportOf([refused]), { rules })).toMatch(/expected +accepted\n +got +refused\n/);
  });

  it("shows the last exchanges before the failure of a scenario, or all of them with `verbose`", () => {
    const exchanges = [1, 2, 3].map((status) => ({
      request: { method: "GET", url: `http://h/${status}`, headers: {}, body: status === 2 ? "x".repeat(500) : "" },
      ...(status === 3 ? {} : { response: { status: 200 + status, headers: {}, body: `{"n":${status}}` } }),
    }));
    const played = violatedResult("sample/1.0/scenarios/late/S-1", { kind: "scenario", exchanges });
    const text = terminal.render(reportOf([played]), { rules });
    expect(text).toMatch(
      / +request +GET http:\/\/h\/2 x{200}… .*\n +answer +HTTP 202 \{"n":2\}\n +request +GET http:\/\/h\/3\n +more +1 exchange; --verbose shows all\n +replay/,
    );
    expect(text).not.toContain("http://h/1");
    const first = exchanges.map((exchange, index) =>
      index === 0 ? { ...exchange, as: "bot", decisive: true as const } : exchange,
    );
    const decidedEarly = violatedResult("sample/1.0/scenarios/late/S-1", { kind: "scenario", exchanges: first });
    expect(terminal.render(reportOf([decidedEarly]), { rules })).toMatch(
      /GET http:\/\/h\/1 \(as bot\)\n +answer .*\n +more +2 exchanges; --verbose shows all\n +replay/,
    );
    const all = terminal.render(reportOf([played]), { rules, verbose: true });
    expect(all).toMatch(/GET http:\/\/h\/1\n +answer +HTTP 201/);
    expect(all).toContain("x".repeat(500));
    const trace = [{ from: "agent", to: "suite", text: '{"hello":1}' }];
    const traced = violatedResult("sample/1.0/scenarios/late/S-1", { kind: "scenario", trace });
    expect(terminal.render(reportOf([traced]), { rules })).toMatch(/message +agent to suite: \{"hello":1\}\n/);
    const longTrace = Array.from({ length: 9 }, (_, index) => ({
      from: "agent",
      to: "suite",
      text: `said-${index}`,
      ...([2, 5, 6].includes(index) ? { decisive: true as const } : {}),
    }));
    const apart = violatedResult("sample/1.0/scenarios/late/S-1", { kind: "scenario", trace: longTrace });
    expect(terminal.render(reportOf([apart]), { rules })).toMatch(
      /why .*(?:\n +message +agent to suite: said-[256]){3}\n +more +6 messages; --verbose shows all\n/,
    );
    expect(terminal.render(reportOf([apart]), { rules, verbose: true })).not.toMatch(/ more +6|shows all/);
    const hookTrace = [{ from: "touchstone", to: "hook", text: 'resolve\n{"value":"Red"}' }];
    const both = violatedResult("sample/1.0/scenarios/late/S-1", { kind: "scenario", exchanges, trace: hookTrace });
    expect(terminal.render(reportOf([both]), { rules })).toMatch(
      /message +touchstone to hook: resolve \{"value":"Red"\}\n/,
    );
  });

  it("has colours only on request", () => {
    const report = reportOf([violatedResult("v")]);
    expect(terminal.render(report, { rules })).not.toContain("\u001b");
    expect(terminal.render(report, { rules, colour: true })).toContain("\u001b[31m");
  });

  it("says if results count at a level other than that of their rule", () => {
    const renderWith = (more: Partial<Result>, level: Level = "MUST") =>
      terminal.render(reportOf([violatedResult("w", more)]), { rules: rules.map((rule) => ({ ...rule, level })) });
    const warned = { level: "SHOULD", outcome: "warns" } as const;
    expect(renderWith(warned)).toMatch(
      /S-1 MUST, counted as SHOULD \(the protocol does not settle these cases\) · clause .* · 1 of 1 vector warned of · fails the run only with --fail-on/,
    );
    expect(renderWith({ ...warned, site: "https://example.org/note#/properties/due/format" })).toContain(
      "S-1 MUST, counted as SHOULD (formats need not be checked)",
    );
    expect(renderWith({ verdict: "valid" }, "SHOULD")).toContain(
      "S-1 SHOULD, counted as MUST (refusing a message that keeps the rule is a fault)",
    );
    expect(renderWith({ level: "SHOULD" }, "SHOULD")).toContain("S-1 SHOULD, counted as MUST");
    expect(renderWith({ level: "SHOULD", outcome: "warns" }, "SHOULD")).toContain("S-1 SHOULD · ");
  });

  it.each(["fuzz", "challenge"] as const)(
    "does not say that a target conforms after %s, and names the rules that were not reached",
    (verb) => {
      const options = { verb, protocol: "sample", target: { kind: "module", file: "x.mjs" } } as const;
      const drawnMembers = { verdict: "invalid", outcome: "conforms" } as const;
      const text = terminal.render(reportOf([result({ id: "a", rule: "S-1", ...drawnMembers })], { options }), {
        verbose: true,
        rules: [
          ...rules,
          { ...(rules[0] as (typeof rules)[0]), id: "S-8", check: "semantic", status: { covered: "a checker" } },
          { ...(rules[0] as (typeof rules)[0]), id: "S-9", status: { covered: "vectors" } },
        ],
      });
      expect(text).toContain(
        "sample 1.0: 1 of 3 rules that vectors show were reached; not S-8 and S-9: to test rules, use run",
      );
      expect(text).toContain("Nothing wrong was found.");
      expect(text).not.toMatch(/Conforms/);
      const walkReport = reportOf([result({ id: "p/1/scenarios/walk-1/S-1", rule: "S-1" })], { options });
      expect(terminal.render(walkReport, { rules: [...rules], verbose: true })).not.toContain("were reached");
    },
  );
});
