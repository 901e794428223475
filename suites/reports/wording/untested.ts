import type { Report, Result } from "../../../schemas/index.ts";
import { describeLack, explainTargetSkip } from "../../base/text/skips.ts";
import { joinNames, numberOfResults } from "./nouns.ts";

/** The number of documents that are named in the first line of a report. */
const maxNamed = 3;

/**
 * Describes the untested parts of a report. Undefined if every part was tested, so that "conforms" applies to everything.
 * These parts count as untested: documents without a validator or a path; documents with mostly unjudged results; documents with an invalid message that got an indecisive code (with the share of skipped vectors, and the reason); and rules that were not shown.
 */
export function describeUntested(report: Pick<Report, "runs">): string | undefined {
  const notes = [describeUnasked(report), describeUnjudged(report), describeUnshown(report)].filter(
    (note) => note !== undefined,
  );
  return notes.length === 0 ? undefined : notes.join("; ");
}

function describeUnasked({ runs }: Pick<Report, "runs">): string | undefined {
  const skippedResults = runs
    .flatMap(({ results }) => results)
    .filter(({ outcome, cause }) => outcome === "skipped" && describeLack(cause) !== undefined);
  const [firstSkipped] = skippedResults;
  if (firstSkipped === undefined) return undefined;
  const documents = [...new Set(skippedResults.map(({ document }) => document))];
  const [verb, pronoun] = [skippedResults.length === 1 ? "was" : "were", documents.length === 1 ? "it" : "them"];
  return `${numberOfResults(skippedResults)} of ${joinNames(documents, maxNamed)} ${verb} skipped because ${describeLack(firstSkipped.cause)} for ${pronoun}`;
}

function describeUnshown({ runs }: Pick<Report, "runs">): string | undefined {
  const [firstPart, ...otherParts] = runs.flatMap(({ untested = [] }) => untested);
  if (firstPart === undefined) return undefined;
  const moreText =
    otherParts.length === 0
      ? ""
      : `, and likewise with ${joinNames(
          otherParts.map(({ rule }) => rule),
          maxNamed,
        )}`;
  return `${firstPart.rule} is not shown to be kept, since ${firstPart.why}${moreText}`;
}

function describeUnjudged({ runs }: Pick<Report, "runs">): string | undefined {
  const affectedParts = runs.flatMap(({ results }) => partsToJudge(results).filter(isUntested));
  if (affectedParts.length === 0) return undefined;
  const sent = affectedParts.flatMap(({ results }) => results.filter(isSent));
  const causes = sent.flatMap((result) => skipReasonOf(result) ?? []);
  const [why, count] = mostFrequent(causes);
  const documentNames = joinNames([...new Set(affectedParts.map(({ document }) => document))], maxNamed);
  // Vectors with a different verdict were also sent, but are not counted here.
  const verdicts = [...new Set(affectedParts.map((part) => part.verdict))];
  const vectors = `${joinNames(verdicts, verdicts.length)} vectors`;
  const shareText = count === causes.length ? "" : `, ${count} of them`;
  return `${causes.length} of the ${sent.length} ${vectors} sent for ${documentNames} were skipped${shareText} because ${why}`;
}

/** Returns the documents with an accepted valid message. */
export function documentsWithAccepted(results: readonly Result[]): Set<string> {
  const isAccepted = ({ verdict, outcome, answer }: Result): boolean =>
    verdict === "valid" && (outcome === "conforms" || answer?.verdict === "accepted");
  return new Set(results.filter(isAccepted).map(({ document }) => document));
}

/** Groups the results to judge. A valid vector with a name that the server does not know is left out, if the server accepted a different valid vector of the document. */
function partsToJudge(results: readonly Result[]): VerdictGroup[] {
  const acceptedDocuments = documentsWithAccepted(results);
  const isUnknownName = ({ document, verdict, cause }: Result): boolean =>
    verdict === "valid" && acceptedDocuments.has(document) && cause?.kind === "not-there";
  return groupByVerdict(results.filter((result) => !isUnknownName(result)));
}

interface VerdictGroup {
  document: string;
  verdict: Result["verdict"];
  results: Result[];
}

/** Groups vectors by document and verdict, because a target may refuse everything if no valid message is sent. Scenarios are left out. */
function groupByVerdict(results: readonly Result[]): VerdictGroup[] {
  const partsByKey = new Map<string, VerdictGroup>();
  for (const result of results) {
    if (result.kind !== "vector") continue;
    const { document, verdict } = result;
    const key = `${document} ${verdict}`;
    const part = partsByKey.get(key) ?? { document, verdict, results: [] };
    if (part.results.length === 0) partsByKey.set(key, part);
    part.results.push(result);
  }
  return [...partsByKey.values()];
}

/** Whether an invalid message got a code that the profile does not judge, so that it may be accepted unnoticed. A message that only breaks advice may be accepted. */
export function isPassedOver({ kind, verdict, level, outcome, cause }: Result): boolean {
  const isWrong = kind === "vector" && verdict === "invalid" && level === "MUST";
  return isWrong && outcome === "skipped" && cause?.kind === "unjudged-code";
}

/** Whether the answer may also mean that an invalid message was accepted. */
function isPerhapsAccepted({ verdict, level, outcome, cause }: Result): boolean {
  const isWrong = verdict === "invalid" && level === "MUST" && outcome === "skipped";
  return isWrong && cause?.kind === "http-status" && cause.status < 400;
}

function isUntested({ results }: VerdictGroup): boolean {
  if (results.some((result) => isPassedOver(result) || isPerhapsAccepted(result))) return true;
  const sent = results.filter(isSent);
  return sent.filter((result) => skipReasonOf(result) !== undefined).length > sent.length / 2;
}

/** Whether the vector was sent to the target. */
function isSent(result: Result): boolean {
  return result.outcome !== "skipped" || skipReasonOf(result) !== undefined;
}

function skipReasonOf({ outcome, cause }: Result): string | undefined {
  if (outcome !== "skipped") return undefined;
  return cause?.kind === "unjudged-code"
    ? "the target answers with codes that the profile does not judge"
    : explainTargetSkip(cause);
}

/** Returns the most frequent cause and its count. */
export function mostFrequent(causes: readonly string[]): [cause: string, count: number] {
  const counts = new Map<string, number>();
  for (const cause of causes) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return [...counts].reduce((mostCounted, entry) => (entry[1] > mostCounted[1] ? entry : mostCounted), ["", 0]);
}
