import { expect, it } from "vitest";
import type { Result, Run } from "../../../schemas/index.ts";
import { declineUnjudged, skippedByTarget, skipWithoutValidator } from "../../base/text/skips.ts";
import { reportOf, result, violatedResult } from "../../results/sample.fixture.ts";
import { github } from "../github.ts";
import { remarksOn } from "../groups/remarks.ts";
import { sharedCommand } from "../groups/shared-command.ts";
import { terminal } from "../terminal.ts";
import { describeConclusion, describeCounts, resultFacts } from "./phrases.ts";

it("shows a random or valid message as a whole, but a changed message by its change", () => {
  const reported = (id: string, data: string, verdict = "valid", change?: unknown): string | undefined => {
    const vector = { data: { title: data }, change };
    const result = { id, kind: "vector", verdict, outcome: "violates", vector } as unknown as Result;
    return Object.fromEntries(resultFacts(result)).message;
  };
  expect(reported("p/1/note/valid/fuzz/7/90:0", "a")).toBe('{"title":"a"}');
  expect(reported("p/1/note/valid/fuzz/7/90:0", "a".repeat(5000))?.length).toBeLessThan(1100);
  expect(reported("p/1/note/semantic/S-1/masked", "a")).toBe('{"title":"a"}');
  const change = [{ op: "remove", path: "/body" }];
  for (const verb of ["fuzz/7/invalid-1:0", "challenge/7/drawn-1"])
    expect(reported(`p/1/note/invalid/${verb}`, "a", "invalid", change)).toBe('{"title":"a"}');
  expect(reported("p/1/note/invalid/title", "a", "invalid", change)).toBe(undefined);
  expect(reported("p/1/note/valid/title", "a", "valid", [{ op: "add", path: "/title", value: "a" }])).toBe(undefined);
});

it("shows the body sent along with parameters, which is not part of the message", () => {
  const sent = (document: string, body: string): string | undefined => {
    const answer = { verdict: "rejected", reasons: [], exchange: { request: { body }, response: { status: 400 } } };
    const vector = { data: { path: { id: 1 } } };
    const refused = { id: "p/1/a", document, kind: "vector", verdict: "valid", outcome: "warns", vector, answer };
    return Object.fromEntries(resultFacts(refused as unknown as Result)).body;
  };
  expect(sent("patch-note.parameters", '{"note":null}')).toBe('{"note":null}');
  expect(sent("delete-note.parameters", "")).toBe(undefined);
  expect(sent("patch-note", '{"note":null}')).toBe(undefined);
});

it("shows a message as it was sent, with the sender that the target knows", () => {
  const reported = (body: string): string | undefined => {
    const request = { method: "POST", url: "http://h/", headers: {}, body };
    const answer = { verdict: "rejected", reasons: [], exchange: { request } };
    const vector = { data: { title: "a", agent: "nightly-backup" } };
    const parametersWithBody = {
      id: "p/1/note/valid/a",
      document: "note",
      kind: "vector",
      verdict: "valid",
      outcome: "violates",
      vector,
      answer,
    };
    return Object.fromEntries(resultFacts(parametersWithBody as unknown as Result)).message;
  };
  const sent = '{"agent":"bot","title":"a"}';
  expect(reported(sent)).toBe(sent);
  const sentMessage = '{"title":"a","agent":"nightly-backup"}';
  // In a carrier, in the address, or cut.
  for (const other of ['{"message":{"title":"a","agent":"bot"}}', "", sent.slice(0, -2)])
    expect(reported(other)).toBe(sentMessage);
});

it("expects a discouraged message to be refused, or accepted with a warning", () => {
  const expected = (level: string): unknown => {
    const invalid = { id: "p/1/note/invalid/a", kind: "vector", verdict: "invalid", outcome: "warns", level };
    return Object.fromEntries(resultFacts(invalid as unknown as Result)).expected;
  };
  expect(["MUST", "SHOULD"].map(expected)).toEqual(["refused", "refused, or accepted with a warning"]);
});

it("calls scenarios and walks by their names, and does not mention vectors if none was run", () => {
  const scenario = violatedResult("p/1/scenarios/late/S-1");
  const walk = result({ id: "p/1/scenarios/walk-1/S-1" });
  const skipped = result({ id: "v", outcome: "skipped" });
  expect(describeConclusion(reportOf([scenario, skipped]))).toBe(
    "Does not conform: 1 of 1 scenario violated, 1 rule broken.",
  );
  const other = violatedResult("p/1/scenarios/late/S-2", { rule: "S-2" });
  const bothReports = {
    ...reportOf([scenario, other, { ...other, id: "p/1/scenarios/early/S-2", outcome: "conforms" }]),
  };
  expect(describeConclusion(bothReports)).toBe("Does not conform: 1 of 2 scenarios violated, 2 rules broken.");
  expect(terminal.render(bothReports, { rules: [] })).toContain(
    ": 1 of 3 results (a scenario has one for each of its rules) conform, 2 violate\n",
  );
  expect(github.render(bothReports, { rules: [] })).toContain(
    ": 1 of 3 results (a scenario has one for each of its rules) conf",
  );
  expect(terminal.render(bothReports, { rules: [], verbose: true })).toMatch(/^document +results +conforms/m);
  expect(describeConclusion(reportOf([scenario, walk]))).toContain("1 of 2 scenarios and walks violated");
  expect(describeConclusion(reportOf([walk]))).toBe("Conforms: no walk is violated.");
  expect(describeConclusion(reportOf([walk, result({ id: "w" })]))).toBe(
    "Conforms: no walk and no vector is violated.",
  );
  const warning = [walk, result({ id: "w", outcome: "warns" })];
  expect(describeConclusion(reportOf(warning))).toBe("Conforms, with 1 warning: no walk and no vector is violated.");
  const unansweredResults = result({ id: "p/1/scenarios/late/S-2", outcome: "errored", stage: "submit" });
  expect(describeConclusion(reportOf([unansweredResults], { exitCode: 3 }))).toContain(
    "1 scenario got no usable answer",
  );
  expect(describeCounts(reportOf([skipped]).counts)).toBe("nothing was run; 1 skipped");
});

it("says that an interrupted run with violations is not complete", () => {
  const report = reportOf([violatedResult("v"), result({ id: "w" })], { complete: false, exitCode: 1 });
  expect(describeConclusion(report)).toBe(
    "Does not conform: 1 of 2 vectors violated, 1 rule broken; interrupted: not every vector has its outcome.",
  );
});

it("mentions results that deserve attention but do not fail the run", () => {
  const notedReport = [
    result({ id: "v" }),
    result({ id: "w", outcome: "wrong-reason" }),
    result({ id: "x", outcome: "warns" }),
  ];
  expect(describeConclusion(reportOf(notedReport))).toBe(
    "Conforms, with 1 warning and 1 refusal for another cause: no vector is violated.",
  );
  const recordedNote = [result({ id: "v" }), result({ id: "x", outcome: "warns", level: "NOTE" })];
  expect(describeConclusion(reportOf(recordedNote))).toBe("Conforms, with 1 note: no vector is violated.");
});

it("limits the conclusion to the selected vectors if vectors were filtered", () => {
  const selected = reportOf([result({ id: "v" })]);
  for (const filter of [
    { only: ["v"], skip: [] },
    { only: [], skip: ["w"] },
  ]) {
    const report = { ...selected, runs: selected.runs.map((run) => ({ ...run, filter })) };
    expect(describeConclusion(report)).toBe("Conforms in what was selected: no vector is violated.");
  }
});

it("limits the conclusion to the tested part if most vectors of a document got an indecisive answer", () => {
  const skipped = (id: string, why: string) => result({ id, outcome: "skipped", why });
  const unjudgedAnswers = ["a", "b"].map((id) => skipped(id, `HTTP 409: for what it has; it said: ${id}`));
  const otherResults = [skipped("c", "needs a target that claims raw-text"), result({ id: "d", document: "other" })];
  expect(describeConclusion(reportOf([result({ id: "v" }), ...unjudgedAnswers, ...otherResults]))).toBe(
    "Conforms as far as it was tested: 2 of the 3 valid vectors sent for note were skipped because the target answers HTTP 409.",
  );
  expect(
    describeConclusion(reportOf([result({ id: "v" }), result({ id: "x" }), ...unjudgedAnswers, ...otherResults])),
  ).toMatch(/^Conforms: /);
  const gatedReport = reportOf([result({ id: "v" }), ...unjudgedAnswers, ...otherResults], {
    baseline: { file: "known.json", known: 2, findings: [] },
  });
  expect(describeConclusion(gatedReport)).toMatch(
    /^Nothing new fails beside 2 known failures, as far as it was tested: 2 of the 3 valid vectors sent for note were skipped/,
  );
  const warned = result({ id: "w", document: "other", outcome: "warns" });
  const elsewhere = ["a", "b", "c", "d"].map(
    (document) => ({ ...unjudgedAnswers[0], id: document, document }) as Result,
  );
  expect(describeConclusion(reportOf([warned, ...elsewhere]))).toBe(
    "Conforms, with 1 warning, as far as it was tested: 4 of the 4 valid vectors sent for a, b, c and 1 more were skipped because the target answers HTTP 409.",
  );
  // The verdicts that are counted are named, since invalid vectors were sent as well.
  const openResults = { ...unjudgedAnswers[0], id: "o", verdict: "disputed" } as Result;
  const invalid = result({ id: "i", verdict: "invalid" });
  expect(describeConclusion(reportOf([result({ id: "v" }), ...unjudgedAnswers, openResults, invalid]))).toBe(
    "Conforms as far as it was tested: 3 of the 4 valid and disputed vectors sent for note were skipped because the target answers HTTP 409.",
  );
  const declinedResults = ["a", "b"].map((id) => skipped(id, skippedByTarget("only memos").why));
  expect(describeConclusion(reportOf([result({ id: "v" }), ...declinedResults]))).toBe(
    "Conforms as far as it was tested: 2 of the 3 valid vectors sent for note were skipped because the target skips them.",
  );
  // Unclaimed vectors, and those that are never sent, are not skipped because of an answer.
  const unaskedResults = ["a", "b", "c"].map((id) => skipped(id, "needs a target that claims raw-text"));
  expect(describeConclusion(reportOf([result({ id: "v" }), ...unaskedResults]))).toMatch(/^Conforms: /);
});

it("limits the conclusion to the tested part if a rule about answers could not be tested", () => {
  const report = reportOf([result({ id: "v" })]);
  const untestedRules = ["A", "B", "C"].map((name) => ({
    rule: `${name}-SECURITY-001`,
    why: `POST /${name} gets no answer`,
  }));
  const reportWith = (rules: typeof untestedRules) => ({
    ...report,
    runs: report.runs.map((run) => ({ ...run, untested: rules })),
  });
  expect(describeConclusion(reportWith(untestedRules.slice(0, 1)))).toBe(
    "Conforms as far as it was tested: A-SECURITY-001 is not shown to be kept, since POST /A gets no answer.",
  );
  expect(describeConclusion(reportWith(untestedRules))).toMatch(
    /POST \/A gets no answer, and likewise with B-SECURITY-001 and C-SECURITY-001\.$/,
  );
});

it("limits the conclusion to the tested part if a document has no validator or no path", () => {
  const withoutValidator = (id: string, document: string, skip: Partial<Result> = skipWithoutValidator(document)) =>
    result({ id, document, outcome: "skipped", ...skip });
  const conforming = result({ id: "v" });
  expect(describeConclusion(reportOf([conforming, withoutValidator("a", "reply")]))).toBe(
    "Conforms as far as it was tested: 1 vector of reply was skipped because there is no validator for it.",
  );
  expect(
    describeConclusion(reportOf([conforming, withoutValidator("a", "reply"), withoutValidator("b", "memo")])),
  ).toMatch(/ 2 vectors of reply and memo were skipped because there is no validator for them\.$/);
  const unsent = withoutValidator("a", "reply", { why: "no endpoint is known for reply: name its path" });
  expect(describeConclusion(reportOf([conforming, unsent]))).toMatch(/ because no endpoint is known for it\.$/);
});

it("limits the conclusion to the tested part if an invalid message got an indecisive code", () => {
  const codedResult = {
    outcome: "skipped",
    why: declineUnjudged("the lease is not known", "unknown-lease").why,
  } as const;
  const conforming = [result({ id: "v" }), ...["a", "b", "c"].map((id) => result({ id, verdict: "invalid" }))];
  const passedOver = result({ id: "x", verdict: "invalid", ...codedResult });
  expect(describeConclusion(reportOf([...conforming, passedOver]))).toBe(
    "Conforms as far as it was tested: 1 of the 4 invalid vectors sent for note were skipped because the target answers with codes that the profile does not judge.",
  );
  expect(describeConclusion(reportOf([...conforming, result({ id: "w", ...codedResult })]))).toMatch(/^Conforms: /);
  expect(remarksOn(reportOf([...conforming, passedOver]).runs[0] as Run)).toEqual([
    expect.stringMatching(
      /^1 invalid vector of note got the code unknown-lease, which .*\. So it is skipped, and it is not shown that /,
    ),
  ]);
  expect(remarksOn(reportOf([...conforming, passedOver, { ...passedOver, id: "y" }]).runs[0] as Run)).toEqual([
    expect.stringMatching(/^2 invalid vectors .*\. So they are skipped, /),
  ]);
  const adviceResult = reportOf([...conforming, { ...passedOver, level: "SHOULD" }]);
  expect(describeConclusion(adviceResult)).toMatch(/^Conforms: /);
  expect(remarksOn(adviceResult.runs[0] as Run)).toEqual([]);
  expect(remarksOn(reportOf([...conforming, { ...passedOver, verdict: "valid" }]).runs[0] as Run)).toEqual([]);
});

it("says that no valid message was accepted", () => {
  const conflicting = result({ id: "a", outcome: "skipped", why: "HTTP 409: it is there" });
  const right = result({ id: "b", verdict: "invalid" });
  expect(describeConclusion(reportOf([conflicting, right], { exitCode: 3 }))).toBe(
    "Not shown to conform: of 1 valid vector that was sent none was accepted: the target answers HTTP 409.",
  );
  const missingName = result({ id: "d", outcome: "skipped", why: "HTTP 404: nothing is there" });
  expect(
    describeConclusion(reportOf([missingName, { ...missingName, id: "c" }, conflicting, right], { exitCode: 3 })),
  ).toMatch(/none was accepted: for 2 the target answers HTTP 404\.$/);
});

it("shows the stage at which a scenario ended, instead of an answer", () => {
  const reported = resultFacts(result({ id: "p/1/scenarios/late/S-2", outcome: "errored", stage: "submit" }));
  expect(reported).toEqual([["stage", "submit"]]);
});

it("leaves the expected and the actual verdict out of the reason", () => {
  const of = (why: string, ...answer: Result["answer"][]) =>
    Object.fromEntries(
      resultFacts(result({ id: "v", outcome: "violates", why, ...(answer[0] && { answer: answer[0] }) })),
    ).why;
  const rejected: Result["answer"] = { verdict: "rejected", reasons: [] };
  expect(of("refused, although it is valid", rejected)).toBe(undefined);
  expect(of("refused, although it is valid: bad_title: too long", rejected)).toBe("bad_title: too long");
  expect(of("refused, although it is valid")).toBe("refused, although it is valid");
});

it("the command of a run contains its selection, quoted for a shell", () => {
  const report = reportOf([result({ id: "v" })]);
  const runs = report.runs.map((run) => ({
    ...run,
    filter: { only: ["S-1", "sample/**"], skip: ["it's"] },
    shard: { index: 2, count: 4 },
  }));
  expect(sharedCommand(report)).toBe(report.command);
  expect(sharedCommand({ ...report, runs })).toBe(
    `${report.command} --only S-1 --only 'sample/**' --skip 'it'\\''s' --shard 2/4`,
  );
  expect(sharedCommand({ ...report, runs, command: "" })).toBe("");
  const fuzzRun = { verb: "fuzz", protocol: "sample", target: { kind: "reference" } } as const;
  const [one] = runs.map((run) => ({ ...run, filter: { only: ["note"], skip: [] }, shard: undefined }));
  expect(sharedCommand({ command: "touchstone fuzz sample", runs: [one as unknown as Run], options: fuzzRun })).toBe(
    "touchstone fuzz sample --document note",
  );
});

it("says after how many vectors a run failed, if any were run", () => {
  const failedRun = (...results: Result[]): string => {
    const report = reportOf(results, { exitCode: 3 });
    const failure = { stage: "run", message: "the server went away" };
    return describeConclusion({ ...report, runs: report.runs.map((run) => ({ ...run, failure })) } as typeof report);
  };
  expect(failedRun(result({ id: "v" }), result({ id: "w" }), result({ id: "x", outcome: "skipped" }))).toBe(
    "Not shown to conform: the run failed after 2 vectors, see the failure.",
  );
  expect(failedRun(result({ id: "x", outcome: "skipped" }))).toBe("Could not be run: see the failure.");
});
