import {
  type Counts,
  equal,
  isMisfit,
  isObject,
  type Json,
  outcomes,
  parametersEnd,
  type Report,
  type Result,
  type Run,
} from "../../../schemas/index.ts";
import { reasonBesideContradiction } from "../../base/text/contradiction.ts";
import { escapeInvisible, truncate, truncateMiddle } from "../../base/text/escape.ts";
import { explainTargetSkip } from "../../base/text/skips.ts";
import { attributeRefusals } from "../../results/attribution.ts";
import { failsRun, unacceptedResults } from "../../results/exit.ts";
import { describeChange } from "./change.ts";
import { demandOf } from "./demand.ts";
import { describeNone, describeRan, kindsOf, numberOf, numberOfResults } from "./nouns.ts";
import { describeUntested, mostFrequent } from "./untested.ts";

/** Lists the facts about a result that reports show, in order. */
export function resultFacts(result: Result): [name: string, text: string][] {
  const { vector, answer } = result;
  // A scenario has no message to accept or refuse. Its reason names the expectation.
  const isPlayed = result.kind !== "vector";
  const isMild = result.verdict === "invalid" && result.level !== "MUST";
  const expectedAnswer = {
    valid: "accepted",
    invalid: `refused${isMild ? ", or accepted with a warning" : ""}`,
    disputed: "either",
  }[result.verdict];
  const isBroken = isAnswerBroken(result);
  const facts: [string, string | undefined][] = [
    ["change", vector?.change === undefined ? undefined : describeChange(vector.change)],
    ["message", shownMessage(result)],
    ["body", bodyBeside(result)],
    ["text", vector?.raw === undefined ? undefined : truncateMiddle(vector.raw, 400)],
    ["base64", vector?.base64 === undefined ? undefined : truncateMiddle(vector.base64, 400)],
    ["expected", isPlayed ? undefined : `${expectedAnswer}${isBroken ? ", by an answer that keeps the rule" : ""}`],
    ["stage", isPlayed ? result.stage : undefined],
    [
      "got",
      isPlayed
        ? undefined
        : answer !== undefined
          ? `${describeAnswer(answer)}${isBroken ? ", by an answer that breaks it" : ""}`
          : isBroken
            ? "an answer that breaks it"
            : `${result.outcome} (${result.stage ?? "no answer"})`,
    ],
    ...reasonFacts(isPlayed ? result.why : besideReason(result), isPlayed ? maxLines : 1),
    ["follows", result.follows === undefined ? undefined : `perhaps only from the breach of ${result.follows}`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

/** Whether a vector was made for one run, so that no file contains it. */
export function isUnstored({ id }: Pick<Result, "id">): boolean {
  return /\/(?:fuzz|challenge)\//.test(id);
}

/** Formats the whole message if its change does not explain it: a random message may have further faults, and a valid message may have no change. */
function shownMessage(result: Result): string | undefined {
  const { verdict, vector } = result;
  if (vector?.data === undefined) return undefined;
  const isWhole = isUnstored(result) || (verdict === "valid" && vector.change === undefined);
  return isWhole ? truncate(JSON.stringify(sentOf(result) ?? vector.data), 600) : undefined;
}

/** Returns the message as it was sent if its sender, time or ids were adapted to this target; otherwise undefined. */
function sentOf({ answer, vector }: Result): Json | undefined {
  const data = vector?.data;
  const body = answer?.exchange?.request.body;
  if (!isObject(data) || body === undefined) return undefined;
  try {
    const sent: Json = JSON.parse(body);
    return isObject(sent) && equal(Object.keys(sent).sort(), Object.keys(data).sort()) ? sent : undefined;
  } catch {
    return undefined;
  }
}

/** Formats the body that was sent along with parameters. It is not part of the message, but it may be the refused part. */
function bodyBeside({ document, answer }: Result): string | undefined {
  const { body = "" } = answer?.exchange?.request ?? {};
  return body !== "" && document.endsWith(parametersEnd) ? truncate(body, 400) : undefined;
}

/** Whether an answer itself breaks a rule although its verdict on the message is correct, or missing. */
function isAnswerBroken({ rule, outcome, verdict, answer, stage }: Result): boolean {
  if (rule === undefined || stage !== undefined || (outcome !== "violates" && outcome !== "warns")) return false;
  return answer === undefined || verdict === (answer.verdict === "accepted" ? "valid" : "invalid");
}

/** Explains the outcome of a vector without the expected and the received answer, which are shown separately. */
function besideReason(result: Result): string | undefined {
  return result.answer === undefined ? result.why : reasonBesideContradiction(result);
}

/** The maximum number of lines of a scenario's reason that are shown separately. */
const maxLines = 20;

/** Splits a reason into lines. The events of a scenario are numbered, and further lines belong to the last one. */
function reasonFacts(why: string | undefined, maxShown: number): [name: string, text: string][] {
  if (why === undefined) return [];
  const lines = why.split("\n");
  const shownLines = [...lines.slice(0, maxShown - 1), lines.slice(maxShown - 1).join("\n")].filter(
    (line) => line !== "",
  );
  return shownLines.map((line, index) => [index === 0 ? "why" : String(index), truncate(line, 500)]);
}

function describeAnswer(answer: NonNullable<Result["answer"]>): string {
  const status = answer.exchange?.response?.status;
  return `${answer.verdict === "accepted" ? "accepted" : "refused"}${status === undefined ? "" : ` (HTTP ${status})`}`;
}

/** Counts every outcome, out of the results that were run, optionally with their noun: `500 of 812 run conform, 310 violate; 90 skipped`. */
export function describeCounts(counts: Counts, noun = ""): string {
  const { skipped } = counts;
  const ranCount = countRan(counts);
  const skippedPart = skipped === 0 ? "" : `; ${skipped} skipped`;
  if (ranCount === 0) return `nothing was run${skippedPart}`;
  const otherOutcomes = outcomes.filter((outcome) => !["conforms", "skipped"].includes(outcome) && counts[outcome] > 0);
  const parts = [
    `${counts.conforms} of ${ranCount}${noun !== "" ? ` ${noun}` : skipped === 0 ? "" : " run"} conform`,
    ...otherOutcomes.map((outcome) => `${counts[outcome]} ${verbs[outcome]}`),
  ];
  return `${parts.join(", ")}${skippedPart}`;
}

/** Counts the results that were run, with any outcome. */
export function countRan(counts: Counts): number {
  return outcomes.reduce((sum, outcome) => (outcome === "skipped" ? sum : sum + counts[outcome]), 0);
}

/** The words for results with an outcome, after their number. */
const verbs: Record<(typeof outcomes)[number], string> = {
  conforms: "conform",
  violates: "violate",
  warns: "warn",
  "wrong-reason": "refused for another cause",
  disputed: "disputed",
  skipped: "skipped",
  errored: "errored",
  "timed-out": "timed out",
  flaky: "flaky",
};

/** Returns the words for one or several results with an outcome, after their number. */
export function describeOutcome(outcome: Result["outcome"], number: number): string {
  return number === 1 && /^(conforms|violates|warns)$/.test(outcome) ? outcome : verbs[outcome];
}

/** Summarizes a report in one sentence. */
export function describeConclusion(report: Report): string {
  const failure = report.runs.find((run) => run.failure !== undefined)?.failure;
  const { failOn = "must", baseline } = report;
  const results = report.runs.flatMap(attributeRefusals);
  const ran = results.filter(({ outcome }) => outcome !== "skipped");
  const ranText = describeRan({ results });
  const failing = results.filter((result) => result.known === undefined && failsRun(result, failOn));
  const failingWith = (...failureOutcomes: Result["outcome"][]): Result[] =>
    failing.filter(({ outcome }) => failureOutcomes.includes(outcome));
  const [violates, warns, unansweredResults] = [
    numberOf(failingWith("violates")),
    numberOf(failingWith("warns")),
    failingWith("errored", "timed-out"),
  ] as const;
  const knownPart =
    baseline === undefined || baseline.known === 0 ? "" : ` beside ${countNoun(baseline.known, "known failure")}`;
  const endText = describeNewFailures(report, failing);
  const interruptedPart = report.complete ? "" : "; interrupted: not every vector has its outcome";
  // Many missing answers show more about the target than a few violations.
  if (violates > 0 && numberOf(unansweredResults) > violates)
    return `Does not conform: ${numberOf(unansweredResults)} of ${ranText} got no usable answer, and ${violates} were violated${brokenInWords(failing)}${knownPart}${interruptedPart}${endText}.`;
  if (violates > 0)
    return `Does not conform: ${violates} of ${ranText} violated${brokenInWords(failing)}${knownPart}${interruptedPart}${endText}.`;
  if (warns > 0)
    return `Does not conform: ${warns} of ${ranText} warned of, which counts by --fail-on ${failOn}${knownPart}${interruptedPart}.`;
  if (failure?.stage === "scenarios")
    return `Not shown to conform: ${escapeInvisible(failure.brief ?? failure.message)}.`;
  if (failure !== undefined && ran.length > 0)
    return `Not shown to conform: the run failed after ${ranText}, see the failure.`;
  if (failure !== undefined) return "Could not be run: see the failure.";
  if (!report.complete) return "Interrupted: not every vector has its outcome.";
  if (report.exitCode === 0) {
    const untested = isDrawn(report) ? undefined : describeUntested(report);
    if (knownPart !== "")
      return `Nothing new fails${knownPart}${untested === undefined ? "" : `, as far as it was tested: ${untested}`}.`;
    if (isDrawn(report)) return "Nothing wrong was found.";
    const isPart = report.runs.some(({ filter: { only, skip } }) => only.length + skip.length > 0);
    const notedPart = notedInWords(results);
    if (untested === undefined)
      return `Conforms${isPart ? " in what was selected" : ""}${notedPart}: ${describeNone(kindsOf(ran))} is violated.`;
    return `Conforms${notedPart}${notedPart === "" ? "" : ","} as far as it was tested: ${untested}.`;
  }
  if (unansweredResults.length > 0)
    return `Not shown to conform: ${numberOfResults(unansweredResults)} got no usable answer${knownPart}.`;
  const flakyResults = failingWith("flaky");
  if (flakyResults.length > 0)
    return `Not shown to conform: ${numberOfResults(flakyResults)} ${flakyResults.length === 1 ? "is" : "are"} flaky (answers differ between tries)${knownPart}.`;
  const refusedValid = report.runs.map(unacceptedResults).find((validResults) => validResults.length > 0);
  if (refusedValid !== undefined)
    return `Not shown to conform: of ${countNoun(refusedValid.length, "valid vector")} that ${refusedValid.length === 1 ? "was" : "were"} sent none was accepted${mostlySkipped(refusedValid)}.`;
  const misfits = baseline?.findings.filter(isMisfit) ?? [];
  if (misfits.some(({ kind }) => kind === "coverage"))
    return `The run judged less than the baseline records, so the missing part is not shown to conform${knownPart}.`;
  if (misfits.length > 0)
    return `The baseline does not fit: ${countNoun(misfits.length, "entry", "entries")} to look at.`;
  return `Not shown to conform: ${describeNone(kindsOf(ran.length === 0 ? results : ran))} was decided.`;
}

/** Counts the new failures if the baseline was written for different vectors: `: 96 regressions, 7 new vectors`. */
function describeNewFailures({ baseline }: Report, failing: readonly Result[]): string {
  if (baseline?.newVectors === undefined) return "";
  const newVectors = new Set(baseline.newVectors);
  const addedCount = failing.filter(({ id }) => newVectors.has(id)).length;
  return `: ${countNoun(failing.length - addedCount, "regression")}, ${countNoun(addedCount, "new vector")}`;
}

/** Names the reason why most of these results were skipped, if most were. */
function mostlySkipped(results: readonly Result[]): string {
  const causes = results.flatMap(({ outcome, cause }) =>
    outcome === "skipped" ? (explainTargetSkip(cause) ?? []) : [],
  );
  const [why, count] = mostFrequent(causes);
  return count * 2 > results.length ? `: ${count === results.length ? "" : `for ${count} `}${why}` : "";
}

/** Counts the results that deserve attention but do not fail the run: `, with 2 warnings and 1 note`. */
function notedInWords(results: readonly Result[]): string {
  const resultsWith = (wantedOutcome: Result["outcome"]): Result[] =>
    results.filter(({ outcome, known }) => outcome === wantedOutcome && known === undefined);
  // Entries that a catalogue only records are not counted as warnings.
  const notes = resultsWith("warns").filter(({ level }) => level === "NOTE").length;
  const [warnings, misfits, excusedCount] = [
    resultsWith("warns").length - notes,
    resultsWith("wrong-reason").length,
    resultsWith("flaky").length,
  ];
  const parts = [
    ...(warnings === 0 ? [] : [countNoun(warnings, "warning")]),
    ...(notes === 0 ? [] : [countNoun(notes, "note")]),
    ...(excusedCount === 0 ? [] : [`${countNoun(excusedCount, "flaky result")} that the configuration excuses`]),
    ...(misfits === 0 ? [] : [countNoun(misfits, "refusal for another cause", "refusals for another cause")]),
  ];
  return parts.length === 0 ? "" : `, with ${parts.join(" and ")}`;
}

/** Whether the messages were generated for the run at random. They can show faults, but never that there are none. */
export function isDrawn({ options }: Pick<Report, "options">): boolean {
  return options?.verb === "fuzz" || options?.verb === "challenge";
}

export function countNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Counts the broken rules and assertions, apart from possible consequences. */
function brokenInWords(failing: readonly Result[]): string {
  const brokenResults = failing.filter(({ outcome }) => outcome === "violates");
  const causes = new Set(brokenResults.filter(({ follows }) => follows === undefined).map(demandOf));
  const otherOutcomes = new Set(brokenResults.map(demandOf).filter((demand) => !causes.has(demand)));
  const consequencePart =
    otherOutcomes.size === 0 ? "" : ` and perhaps ${otherOutcomes.size} more that may only follow`;
  const [rules, assertions] = [
    countSubjects("rule", brokenResults, causes),
    countSubjects("assertion", brokenResults, causes),
  ];
  const namedDemands = [
    ...(rules > 0 || otherOutcomes.size > 0 ? [countNoun(rules, "rule")] : []),
    ...(assertions > 0 ? [countNoun(assertions, "assertion")] : []),
  ];
  return namedDemands.length === 0 ? "" : `, ${namedDemands.join(" and ")} broken${consequencePart}`;
}

/** Counts the demands that are rules, or assertions of a schema. */
function countSubjects(kind: "rule" | "assertion", results: readonly Result[], demands: ReadonlySet<string>): number {
  const isOf = ({ rule, site }: Result): boolean =>
    kind === "rule" ? rule !== undefined : rule === undefined && site !== undefined;
  return new Set(
    results
      .filter(isOf)
      .map(demandOf)
      .filter((demand) => demands.has(demand)),
  ).size;
}

/** Formats a moment of a report for reading: `2026-01-15 09:30:00 UTC`. */
export function formatMoment(moment: string): string {
  return moment.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
}

/** Describes the target of a run, with its part of the vectors and the chosen readings. */
export function describeTarget({ target, shard, readings }: Run): string {
  const shardPart = shard === undefined ? "" : `, shard ${shard.index} of ${shard.count}`;
  const readingPart = readings === undefined ? "" : `, read as ${readings.join(", ")}`;
  return `${nameTarget(target)}${shardPart}${readingPart}`;
}

/** Names a target, with its kind unless the name begins with it. */
export function nameTarget({ kind, name }: Run["target"]): string {
  return name.startsWith(kind) ? name : `${name} (${kind})`;
}
