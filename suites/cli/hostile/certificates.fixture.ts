import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { example, home, type Report } from "../../../schemas/index.ts";
import { type ForgedContent, forgeCertificate, forgeReport } from "../../publishing/certify/forged.fixture.ts";
import { readPrivateKey } from "../../publishing/certify/key.ts";
import { runOnce } from "./calls.fixture.ts";
import type { Attack } from "./row.fixture.ts";

let folderMade: Promise<string> | undefined;

/** A folder with a pack, a certificate of its reference, and the key of a dishonest signer. */
function folder(): Promise<string> {
  folderMade ??= make();
  return folderMade;
}

async function make(): Promise<string> {
  const ownFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
  process.on("exit", () => rmSync(ownFolder, { recursive: true, force: true }));
  cpSync(join(home, "suites/packs/pack/example"), join(ownFolder, "order"), { recursive: true });
  rmSync(join(ownFolder, "order/certification.json"), { force: true });
  for (const words of [
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
    const { code, output } = await runOnce(ownFolder, ...words);
    if (code !== 0) throw new Error(output);
  }
  return ownFolder;
}

type Run = Report["runs"][number];
const first = (report: Report): Run => report.runs[0] as Run;
const resign = (report: Report, change: (run: Run) => void): void => {
  const run = structuredClone(first(report));
  change(run);
  report.runs.push(run);
};

type Result = Run["results"][number];

/** A result as if the implementation had accepted an invalid message and the run had counted that as another outcome. */
const accepting =
  (change: Partial<Result>) =>
  (all: ForgedContent): void =>
    restated(all, ({ verdict }) => verdict === "invalid", {
      why: "a",
      cause: { kind: "accepted" },
      answer: { verdict: "accepted", reasons: [] },
      ...change,
    });

/** Changes the first result for which `isMatch` is true, and the counts that follow from it. */
function restated(all: ForgedContent, isMatch: (result: Result) => boolean, change: Partial<Result>): void {
  forgeReport(all, (report) => {
    const run = first(report);
    const result = run.results.find(isMatch) as Result;
    const before = result.outcome;
    Object.assign(result, change);
    for (const { counts } of [run, report]) {
      counts[before] -= 1;
      counts[result.outcome] += 1;
    }
  });
}

const of =
  (change: Partial<Result>) =>
  (all: ForgedContent): void =>
    restated(all, ({ kind, verdict }) => kind === "vector" && verdict === "invalid", change);

const changes: Record<string, (all: ForgedContent) => void> = {
  "a result twice, the last one right": (all) =>
    forgeReport(all, (report) => {
      const run = first(report);
      const [result] = run.results;
      run.results.unshift({ ...(result as Run["results"][number]), outcome: "conforms" });
      for (const { counts } of [run, report]) counts.conforms += 1;
    }),
  "a run twice": (all) => forgeReport(all, (report) => resign(report, () => {})),
  "a run of a protocol that nobody knows": (all) =>
    forgeReport(all, (report) => resign(report, (run) => Object.assign(run, { protocol: "unheard" }))),
  "a result of another protocol": (all) =>
    forgeReport(all, (report) => Object.assign(first(report).results[0] as object, { id: "other/1/a/valid/b" })),
  "counts that are not those of the results": (all) =>
    forgeReport(all, (report) => (first(report).counts.conforms += 1)),
  "totals that are not those of the runs": (all) => forgeReport(all, (report) => (report.counts.violates += 1)),
  "another exit code": (all) => forgeReport(all, (report) => Object.assign(report, { exitCode: 1 })),
  "an accepted fault that passes for disputed": accepting({ outcome: "disputed" }),
  "an accepted fault that passes for a warning": accepting({ outcome: "warns" }),
  "an accepted fault that passes for another reason": accepting({ outcome: "wrong-reason" }),
  "an accepted fault that conforms": accepting({ outcome: "conforms" }),
  "an accepted fault of a lower level": accepting({ outcome: "warns", level: "MAY" }),
  "an accepted fault that was to be accepted": accepting({ outcome: "conforms", verdict: "valid" }),
  "an accepted fault for a breach by the answer": accepting({
    outcome: "warns",
    level: "SHOULD",
    cause: { kind: "answer-broken" },
  }),
  "a refusal of what is valid that passes for disputed": (all) =>
    restated(all, ({ id }) => id === "order/1/order/semantic/ORDER-SUM-001/one-line", {
      outcome: "disputed",
      why: "a",
      cause: { kind: "left-open", by: "rules" },
      answer: { verdict: "rejected", reasons: [] },
    }),
  "what is not disputed, disputed without an answer": of({
    outcome: "disputed",
    why: "a",
    cause: { kind: "left-open", by: "readings" },
  }),
  "a warning of a MUST without an answer": of({ outcome: "warns", why: "a", cause: { kind: "accepted" } }),
  "another reason without an answer": of({ outcome: "wrong-reason", why: "a", cause: { kind: "other-reason" } }),
  "a result with another level": of({ level: "MAY" }),
  "a result with another rule": of({ rule: "ORDER-NONE-001" }),
  "a result with another place": of({ at: "/elsewhere" }),
  "a result with another fault": of({ fault: "none" }),
  "a result with other words": of({ description: "everything is right" }),
  "a result of another document": of({ document: "receipt-of-all" }),
  "a result of another kind": of({ kind: "scenario" }),
  "a result of a vector that there is not": (all) =>
    forgeReport(all, (report) => {
      const run = first(report);
      run.results.push({ ...(run.results[0] as Result), id: "order/1/order/valid/of-its-own" });
      for (const { counts } of [run, report]) counts.conforms += 1;
    }),
  "a set of more vectors": (all) => forgeReport(all, (report) => (first(report).set.count += 1)),
  "a run of a part": (all) => forgeReport(all, (report) => first(report).filter.skip.push("order/1/receipt")),
  "a run that broke off": (all) => forgeReport(all, (report) => Object.assign(report, { complete: false })),
  "a member twice": ({ files }) =>
    void files.set("report.json", (files.get("report.json") as string).replace("{", '{"exitCode":0,')),
  "other vectors": (all) =>
    forgeReport(all, (report) => Object.assign(first(report).set, { digest: `sha256-${"B".repeat(43)}=` })),
  "another list": ({ files }) => {
    for (const [name, text] of files)
      if (name.startsWith("profiles/"))
        files.set(name, text.replace(/"results":\[.*?\]/s, '"results":["order/1/order/valid/sample"]'));
  },
  "more passed tests": ({ statement }) => void statement.predicate.passedTests.push("order 1 live@1"),
  "another result": ({ statement }) => void Object.assign(statement.predicate, { result: "WARNED" }),
  "another subject": ({ statement }) =>
    void Object.assign(statement.subject[0] as object, { digest: { sha256: "0".repeat(64) } }),
  "no subject": ({ statement }) => void statement.subject.splice(0),
  "materials in another order": ({ statement }) => void statement.predicate.configuration.reverse(),
  "materials twice": ({ statement: { predicate } }) =>
    void predicate.configuration.push(...structuredClone(predicate.configuration)),
  "claims of its own": ({ statement }) =>
    void Object.assign(statement.predicate.touchstone.implementation, { claims: { order: ["everything"] } }),
  "another tool": ({ statement }) =>
    void Object.assign(statement.predicate.touchstone, { tool: { name: "touchstone", version: "9.0.0" } }),
  "nothing that was left out": ({ statement }) => void statement.predicate.touchstone.notChecked.splice(0),
  "members of its own": ({ statement }) => void Object.assign(statement, { seal: "gold" }),
  "another configuration": ({ files }) => void files.set("configuration.json", "{}\n"),
  "a start in the future": (all) =>
    forgeReport(all, (report) => Object.assign(report, { started: "2999-01-01T00:00:00.000Z" })),
  "a run that ends in time to come": (all) => forgeReport(all, (report) => Object.assign(report, { durationMs: 1e14 })),
  "a run that is shorter than one of its results": (all) =>
    forgeReport(all, (report) => {
      Object.assign(report, { durationMs: 10 });
      Object.assign(first(report).results[0] as object, { durationMs: 20 });
    }),
  "a command of other options": (all) =>
    forgeReport(all, (report) => Object.assign(report, { command: "npx touchstone run ./order --module mine.js" })),
  "another name of the reference": (all) =>
    forgeReport(all, (report) => Object.assign(first(report).target, { name: "mine" })),
  "a variant that was not run": (all) =>
    forgeReport(all, (report) => Object.assign(report.options?.target as object, { variant: "of-its-own" })),
  "a reading by which nothing was read": (all) =>
    forgeReport(all, (report) => Object.assign(report.options as object, { readings: ["of-its-own"] })),
  "scenarios without the option": (all) =>
    forgeReport(all, (report) =>
      Object.assign(first(report).results[0] as object, { kind: "scenario", document: "scenarios" }),
    ),
  "a bound that there is not": (all) =>
    forgeReport(all, (report) => Object.assign(first(report), { bounds: { "of-its-own": 1 } })),
  "what conforms, with a cause": (all) =>
    restated(all, ({ outcome }) => outcome === "conforms", { why: "a", cause: { kind: "accepted" } }),
  "a warning without a cause": of({ outcome: "warns", level: "SHOULD" }),
  "a warning for a skip": of({ outcome: "warns", why: "a", cause: { kind: "limit" } }),
  "what is disputed for an acceptance": of({ outcome: "disputed", why: "a", cause: { kind: "accepted" } }),
  "an acceptance that is skipped": of({ outcome: "skipped", why: "a", cause: { kind: "accepted" } }),
  "a refusal that was accepted": of({
    outcome: "violates",
    why: "a",
    cause: { kind: "accepted" },
    answer: { verdict: "rejected", reasons: [] },
  }),
  "what is invalid, refused as valid": of({ outcome: "violates", why: "a", cause: { kind: "refused" } }),
  "what conforms, decided by a reading": (all) =>
    restated(all, ({ outcome }) => outcome === "conforms", { decidedBy: ["first"] }),
  "a warning of what was accepted as it should be": (all) =>
    restated(all, ({ kind, verdict }) => kind === "vector" && verdict === "valid", {
      outcome: "warns",
      why: "a",
      cause: { kind: "expectation" },
      answer: { verdict: "accepted", reasons: [] },
    }),
  "a file of its own": ({ files }) => void files.set("more.json", "{}\n"),
};

type Call = NonNullable<Report["options"]>;

/** Calls that cannot have led to the results of a run of vectors against the reference. */
const calls: Record<string, Partial<Call>> = {
  fuzz: { verb: "fuzz" },
  challenge: { verb: "challenge" },
  play: { verb: "play" },
  agent: { verb: "agent" },
  "a side": { side: "hub" },
  "the runs of a challenge": { runs: 5 },
  "a walk": { walk: "1" },
  "another target": { target: { kind: "http", url: "http://127.0.0.1:1" } },
  "a reading": { readings: ["of-its-own"] },
  "a broken variant": { target: { kind: "reference", variant: "of-its-own" } },
  "a published protocol": { protocol: example.protocol },
};
const callRows = Object.entries(calls).map(
  ([name, call]): Attack => ({
    kind: "forged certificates",
    name: `a report that says it was called with ${name}`,
    async play() {
      const ownFolder = await folder();
      const report = JSON.parse(readFileSync(join(ownFolder, "right.json"), "utf8")) as Report;
      Object.assign(report.options as Call, call);
      writeFileSync(join(ownFolder, "called.json"), `${JSON.stringify(report)}\n`);
      const words = [
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
      const { code, output } = await runOnce(ownFolder, "certify", "called.json", ...words);
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
      const ownFolder = await folder();
      const bundle = JSON.parse(readFileSync(join(ownFolder, "right.touchstone.json"), "utf8"));
      writeFileSync(
        join(ownFolder, "forged.json"),
        forgeCertificate(bundle, readPrivateKey(join(ownFolder, "k.pem"), {}), change),
      );
      const { code, output } = await runOnce(
        ownFolder,
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
