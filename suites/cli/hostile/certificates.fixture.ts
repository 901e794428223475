import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { example, home, type Report } from "../../../schemas/index.ts";
import { type ForgedContent, forgeCertificate, forgeReport } from "../../publishing/certify/forged.fixture.ts";
import { readPrivateKey } from "../../publishing/certify/key.ts";
import { runOnce } from "./calls.fixture.ts";
import type { Attack } from "./row.fixture.ts";

let cachedFolder: Promise<string> | undefined;

/** Returns a folder with a pack, a certificate of its reference, and the key of a dishonest signer. */
function folder(): Promise<string> {
  cachedFolder ??= createFolder();
  return cachedFolder;
}

async function createFolder(): Promise<string> {
  const newFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
  process.on("exit", () => rmSync(newFolder, { recursive: true, force: true }));
  cpSync(join(home, "suites/packs/pack/example"), join(newFolder, "order"), { recursive: true });
  rmSync(join(newFolder, "order/certification.json"), { force: true });
  for (const args of [
    ["freeze", "./order"],
    ["run", "./order", "--reference", "--timeout", "60000", "--quiet", "--report", "json=right.json"],
    ["certify", "--new-key", "k.pem"],
    [
      "certify",
      "right.json",
      "--name",
      "a",
      "--release",
      "1",
      "--key",
      "k.pem",
      "--protocol",
      "./order",
      "--out",
      "right.touchstone.json",
    ],
  ]) {
    const { code, output } = await runOnce(newFolder, ...args);
    if (code !== 0) throw new Error(output);
  }
  return newFolder;
}

type Run = Report["runs"][number];
const firstRun = (report: Report): Run => report.runs[0] as Run;
const repeatRun = (report: Report, change: (run: Run) => void): void => {
  const run = structuredClone(firstRun(report));
  change(run);
  report.runs.push(run);
};

type Result = Run["results"][number];

/** Claims that the implementation accepted an invalid message, with an outcome other than a violation. */
const acceptInvalid =
  (change: Partial<Result>) =>
  (content: ForgedContent): void =>
    changeResult(content, ({ verdict }) => verdict === "invalid", {
      why: "a",
      cause: { kind: "accepted" },
      answer: { verdict: "accepted", reasons: [] },
      ...change,
    });

/** Changes the first result for which `isMatch` is true, and the counts that follow from it. */
function changeResult(content: ForgedContent, isMatch: (result: Result) => boolean, change: Partial<Result>): void {
  forgeReport(content, (report) => {
    const run = firstRun(report);
    const result = run.results.find(isMatch) as Result;
    const outcomeBefore = result.outcome;
    Object.assign(result, change);
    for (const { counts } of [run, report]) {
      counts[outcomeBefore] -= 1;
      counts[result.outcome] += 1;
    }
  });
}

/** Changes the first result of a vector with an invalid message. */
const changeInvalid =
  (change: Partial<Result>) =>
  (content: ForgedContent): void =>
    changeResult(content, ({ kind, verdict }) => kind === "vector" && verdict === "invalid", change);

const changes: Record<string, (all: ForgedContent) => void> = {
  "a repeated result, of which only the last one is correct": (content) =>
    forgeReport(content, (report) => {
      const run = firstRun(report);
      const [result] = run.results;
      run.results.unshift({ ...(result as Run["results"][number]), outcome: "conforms" });
      for (const { counts } of [run, report]) counts.conforms += 1;
    }),
  "a repeated run": (content) => forgeReport(content, (report) => repeatRun(report, () => {})),
  "a run of an unknown protocol": (content) =>
    forgeReport(content, (report) => repeatRun(report, (run) => Object.assign(run, { protocol: "unheard" }))),
  "a result of another protocol": (content) =>
    forgeReport(content, (report) => Object.assign(firstRun(report).results[0] as object, { id: "other/1/a/valid/b" })),
  "counts that differ from the results": (content) =>
    forgeReport(content, (report) => (firstRun(report).counts.conforms += 1)),
  "totals that differ from the runs": (content) => forgeReport(content, (report) => (report.counts.violates += 1)),
  "a changed exit code": (content) => forgeReport(content, (report) => Object.assign(report, { exitCode: 1 })),
  "an accepted invalid message reported as disputed": acceptInvalid({ outcome: "disputed" }),
  "an accepted invalid message reported as a warning": acceptInvalid({ outcome: "warns" }),
  "an accepted invalid message reported as refused for a wrong reason": acceptInvalid({ outcome: "wrong-reason" }),
  "an accepted invalid message reported as conforming": acceptInvalid({ outcome: "conforms" }),
  "an accepted invalid message with a lower level": acceptInvalid({ outcome: "warns", level: "MAY" }),
  "an accepted invalid message reported as valid": acceptInvalid({ outcome: "conforms", verdict: "valid" }),
  "an accepted invalid message reported as a broken answer": acceptInvalid({
    outcome: "warns",
    level: "SHOULD",
    cause: { kind: "answer-broken" },
  }),
  "a refused valid message reported as disputed": (content) =>
    changeResult(content, ({ id }) => id === "order/1/order/semantic/ORDER-SUM-001/one-line", {
      outcome: "disputed",
      why: "a",
      cause: { kind: "left-open", by: "rules" },
      answer: { verdict: "rejected", reasons: [] },
    }),
  "a disputed result without an answer": changeInvalid({
    outcome: "disputed",
    why: "a",
    cause: { kind: "left-open", by: "readings" },
  }),
  "a warning about a MUST without an answer": changeInvalid({
    outcome: "warns",
    why: "a",
    cause: { kind: "accepted" },
  }),
  "a wrong reason without an answer": changeInvalid({
    outcome: "wrong-reason",
    why: "a",
    cause: { kind: "other-reason" },
  }),
  "a result with a changed level": changeInvalid({ level: "MAY" }),
  "a result with a changed rule": changeInvalid({ rule: "ORDER-NONE-001" }),
  "a result with a changed path": changeInvalid({ at: "/elsewhere" }),
  "a result with a changed fault": changeInvalid({ fault: "none" }),
  "a result with a changed description": changeInvalid({ description: "everything is right" }),
  "a result with a changed document": changeInvalid({ document: "receipt-of-all" }),
  "a result with a changed kind": changeInvalid({ kind: "scenario" }),
  "a result of a vector that does not exist": (content) =>
    forgeReport(content, (report) => {
      const run = firstRun(report);
      run.results.push({ ...(run.results[0] as Result), id: "order/1/order/valid/invented" });
      for (const { counts } of [run, report]) counts.conforms += 1;
    }),
  "a larger vector count": (content) => forgeReport(content, (report) => (firstRun(report).set.count += 1)),
  "a run of only some vectors": (content) =>
    forgeReport(content, (report) => firstRun(report).filter.skip.push("order/1/receipt")),
  "an incomplete run": (content) => forgeReport(content, (report) => Object.assign(report, { complete: false })),
  "a duplicate member": ({ files }) =>
    void files.set("report.json", (files.get("report.json") as string).replace("{", '{"exitCode":0,')),
  "a changed digest of the vectors": (content) =>
    forgeReport(content, (report) => Object.assign(firstRun(report).set, { digest: `sha256-${"B".repeat(43)}=` })),
  "a changed list of results": ({ files }) => {
    for (const [name, text] of files)
      if (name.startsWith("profiles/"))
        files.set(name, text.replace(/"results":\[.*?\]/s, '"results":["order/1/order/valid/sample"]'));
  },
  "more passed tests": ({ statement }) => void statement.predicate.passedTests.push("order 1 live@1"),
  "a changed overall result": ({ statement }) => void Object.assign(statement.predicate, { result: "WARNED" }),
  "a changed subject": ({ statement }) =>
    void Object.assign(statement.subject[0] as object, { digest: { sha256: "0".repeat(64) } }),
  "no subject": ({ statement }) => void statement.subject.splice(0),
  "materials in reverse order": ({ statement }) => void statement.predicate.configuration.reverse(),
  "repeated materials": ({ statement: { predicate } }) =>
    void predicate.configuration.push(...structuredClone(predicate.configuration)),
  "added claims": ({ statement }) =>
    void Object.assign(statement.predicate.touchstone.implementation, { claims: { order: ["everything"] } }),
  "a changed tool version": ({ statement }) =>
    void Object.assign(statement.predicate.touchstone, { tool: { name: "touchstone", version: "9.0.0" } }),
  "an emptied list of unchecked parts": ({ statement }) => void statement.predicate.touchstone.notChecked.splice(0),
  "an added member": ({ statement }) => void Object.assign(statement, { seal: "gold" }),
  "a changed configuration": ({ files }) => void files.set("configuration.json", "{}\n"),
  "a start in the future": (content) =>
    forgeReport(content, (report) => Object.assign(report, { started: "2999-01-01T00:00:00.000Z" })),
  "a run that ends in the future": (content) =>
    forgeReport(content, (report) => Object.assign(report, { durationMs: 1e14 })),
  "a run that is shorter than one of its results": (content) =>
    forgeReport(content, (report) => {
      Object.assign(report, { durationMs: 10 });
      Object.assign(firstRun(report).results[0] as object, { durationMs: 20 });
    }),
  "a command that contradicts the options": (content) =>
    forgeReport(content, (report) => Object.assign(report, { command: "npx touchstone run ./order --module mine.js" })),
  "a changed name of the reference": (content) =>
    forgeReport(content, (report) => Object.assign(firstRun(report).target, { name: "mine" })),
  "a variant that was not run": (content) =>
    forgeReport(content, (report) => Object.assign(report.options?.target as object, { variant: "invented" })),
  "a reading that was not used": (content) =>
    forgeReport(content, (report) => Object.assign(report.options as object, { readings: ["invented"] })),
  "a scenario result without the option": (content) =>
    forgeReport(content, (report) =>
      Object.assign(firstRun(report).results[0] as object, { kind: "scenario", document: "scenarios" }),
    ),
  "an unknown bound": (content) =>
    forgeReport(content, (report) => Object.assign(firstRun(report), { bounds: { invented: 1 } })),
  "a conforming result with a cause": (content) =>
    changeResult(content, ({ outcome }) => outcome === "conforms", { why: "a", cause: { kind: "accepted" } }),
  "a warning without a cause": changeInvalid({ outcome: "warns", level: "SHOULD" }),
  "a warning with the cause of a skip": changeInvalid({ outcome: "warns", why: "a", cause: { kind: "limit" } }),
  "a disputed result with the cause of an acceptance": changeInvalid({
    outcome: "disputed",
    why: "a",
    cause: { kind: "accepted" },
  }),
  "a skipped result with the cause of an acceptance": changeInvalid({
    outcome: "skipped",
    why: "a",
    cause: { kind: "accepted" },
  }),
  "a refusing answer with the cause of an acceptance": changeInvalid({
    outcome: "violates",
    why: "a",
    cause: { kind: "accepted" },
    answer: { verdict: "rejected", reasons: [] },
  }),
  "an invalid message with the cause of a refusal": changeInvalid({
    outcome: "violates",
    why: "a",
    cause: { kind: "refused" },
  }),
  "a conforming result decided by a reading": (content) =>
    changeResult(content, ({ outcome }) => outcome === "conforms", { decidedBy: ["first"] }),
  "a warning about a correctly accepted message": (content) =>
    changeResult(content, ({ kind, verdict }) => kind === "vector" && verdict === "valid", {
      outcome: "warns",
      why: "a",
      cause: { kind: "expectation" },
      answer: { verdict: "accepted", reasons: [] },
    }),
  "an added file": ({ files }) => void files.set("more.json", "{}\n"),
};

type RunOptions = NonNullable<Report["options"]>;

/** Options that cannot have led to the results of a run of vectors against the reference. */
const impossibleOptions: Record<string, Partial<RunOptions>> = {
  fuzz: { verb: "fuzz" },
  challenge: { verb: "challenge" },
  play: { verb: "play" },
  agent: { verb: "agent" },
  "a side": { side: "hub" },
  "the runs of a challenge": { runs: 5 },
  "a walk": { walk: "1" },
  "another target": { target: { kind: "http", url: "http://127.0.0.1:1" } },
  "a reading": { readings: ["invented"] },
  "a broken variant": { target: { kind: "reference", variant: "invented" } },
  "a published protocol": { protocol: example.protocol },
};
const callRows = Object.entries(impossibleOptions).map(
  ([name, options]): Attack => ({
    kind: "forged certificates",
    name: `a report that claims to come from ${name}`,
    async play() {
      const testFolder = await folder();
      const report = JSON.parse(readFileSync(join(testFolder, "right.json"), "utf8")) as Report;
      Object.assign(report.options as RunOptions, options);
      writeFileSync(join(testFolder, "called.json"), `${JSON.stringify(report)}\n`);
      const certifyOptions = [
        "--name",
        "a",
        "--release",
        "1",
        "--key",
        "k.pem",
        "--protocol",
        "./order",
        "--out",
        "called.out.json",
      ];
      const { code, output } = await runOnce(testFolder, "certify", "called.json", ...certifyOptions);
      return code === 2 && output.includes("contradicts itself")
        ? []
        : [`it ended with ${code}: ${output.slice(0, 300)}`];
    },
  }),
);

const forgedRows = Object.entries(changes).map(
  ([name, change]): Attack => ({
    kind: "forged certificates",
    name,
    async play() {
      const testFolder = await folder();
      const bundle = JSON.parse(readFileSync(join(testFolder, "right.touchstone.json"), "utf8"));
      writeFileSync(
        join(testFolder, "forged.json"),
        forgeCertificate(bundle, readPrivateKey(join(testFolder, "k.pem"), {}), change),
      );
      const { code, output } = await runOnce(
        testFolder,
        "verify",
        "forged.json",
        "--key",
        "k.pub.pem",
        "--protocol",
        "./order",
      );
      return (code === 1 && output.startsWith("The certificate is not valid")) || code === 2
        ? []
        : [`it ended with ${code}: ${output.slice(0, 300)}`];
    },
  }),
);

export const certificateRows: readonly Attack[] = [...forgedRows, ...callRows];
