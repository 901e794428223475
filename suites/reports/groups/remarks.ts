import { inFull, type Result, type Run } from "../../../schemas/index.ts";
import { reasonBesideContradiction } from "../../base/text/contradiction.ts";
import { describeMissingCode } from "../../base/text/missing-code.ts";
import { renameProgram } from "../../base/text/program.ts";
import { resultsAfterLoss } from "../../results/exit.ts";
import { refinement } from "../../targets/reasons.ts";
import { demandOf } from "../wording/demand.ts";
import { countInWords, joinNames, kindsOf, numberOf } from "../wording/nouns.ts";
import { countNoun, countRan } from "../wording/phrases.ts";
import { isPassedOver } from "../wording/untested.ts";
import { likelyMistakes } from "./mistakes.ts";
import { describeCommonFeatures } from "./shared-features.ts";

/** The sentences before the results of a run, each of which explains many results. */
export function remarksOn(run: Run): string[] {
  return [
    ...changeRemarks(run),
    ...describeCommonFeatures(run),
    ...describeSmallestRefused(run),
    ...describeEndedTarget(run),
    ...describeCrashes(run),
    ...describeAcceptAll(run),
    ...describePassedOver(run),
    ...describeMissingCodes(run),
    ...describeLate(run),
    ...describeThrowing(run),
    ...describeMistakes(run),
    ...describeDiffering(run),
  ];
}

/** Says that the schemas have changed since the vectors were made. */
export function changeRemarks({ set }: Run): string[] {
  if (set.changed === undefined) return [];
  const { files, again } = set.changed;
  const have = files.length === 1 ? "has" : "have";
  return [
    `${files.join(", ")} ${have} changed since the vectors were made, so the vectors do not cover the change. To make them again: ${renameProgram(again)}`,
  ];
}

/** Whether a result is a refusal of the smallest valid message of a document. A target that refuses it probably refuses most other messages for the same reason. */
export function isSmallestRefused({ id, verdict, outcome, answer, known }: Result): boolean {
  const isRefused = (outcome === "violates" || outcome === "warns") && answer?.verdict === "rejected";
  return verdict === "valid" && isRefused && known === undefined && /\/valid\/minimal$/.test(id);
}

/** Whether a validator refuses the message by a function that its JSON Schema does not contain. */
function isRefined({ answer }: Result): boolean {
  return answer?.reasons.some(({ keyword }) => keyword === refinement) === true;
}

const refinementNote =
  "It is refused by a refinement (such as Zod's .refine), which is not part of the JSON Schema, so the vectors know nothing of it: express it by methods that have a keyword (.min, .max, .regex, …), or run a validator without it.";

/** The maximum number of documents that one sentence names. */
const maxNamed = 6;

function describeSmallestRefused(run: Run): string[] {
  const { results } = run;
  const isAlreadyExplained = describeCommonFeatures(run).length > 0;
  const refusedResults = results.filter(isSmallestRefused);
  const [first] = refusedResults;
  if (first === undefined) return [];
  const { id } = first;
  const contrary = reasonBesideContradiction(first) ?? "";
  const smallestRefused = `The smallest valid message is refused (${id})${contrary === "" ? "" : `: ${contrary}`}.`;
  const otherDocuments = refusedResults.slice(1).map(({ document }) => document);
  const list = joinNames(otherDocuments, maxNamed);
  return [
    `${smallestRefused}${list === "" ? "" : ` So ${otherDocuments.length === 1 ? "is that" : "are those"} of ${list}.`}${isAlreadyExplained ? "" : " The following failures may come from this."}`,
    ...(refusedResults.some(isRefined) ? [refinementNote] : []),
  ];
}

/** Describes crashes that no message caused, so that no result shows them. */
function describeCrashes({ target, lost }: Run): string[] {
  if (lost === undefined) return [];
  const name = `The ${target.kind === "mcp" ? "server" : target.kind}`;
  const times = lost.times === 1 ? "once" : `${lost.times} times`;
  return [
    `${name} ended ${times} without a message to blame, and was started again; its unanswered messages were sent again. The last time: ${lost.last}`,
  ];
}

/** Advice about a target that refuses nothing. */
const adviceByKind: Partial<Record<Run["target"]["kind"], string>> = {
  http: "If it checks messages, see whether the address is the right one, and which answer it gives there.",
  module: "If it checks instances, see whether it returns the result: false, or { valid: false }.",
  command: 'If it checks what it is given, see whether it answers with the result: "valid": false.',
};

/** If fewer messages were wrongly accepted, the report does not say that a target refuses none. */
const minAccepted = 10;

/**
 * A target that accepts everything may be the wrong one, such as a server with a page at every address. If it refuses other messages, it is the right
 * one, but perhaps it only parses some documents without checking them.
 */
function describeAcceptAll({ target, results, filter }: Run): string[] {
  const advice = adviceByKind[target.kind];
  if (advice === undefined) return [];
  const name = `The ${target.kind === "http" ? "server" : target.kind}`;
  const vectors = results.filter(({ kind }) => kind === "vector");
  const invalid = vectors.filter(({ verdict, level }) => verdict === "invalid" && level === "MUST");
  const acceptedInvalid = invalid.filter(({ answer }) => answer?.verdict === "accepted");
  if (acceptedInvalid.length < minAccepted) return [];
  // If all of these vectors belong to one selected assertion, only that assertion is unchecked.
  if (filter.only.length > 0 && new Set(acceptedInvalid.map(demandOf)).size === 1) return [];
  if (!vectors.some(isRefused))
    return [`${name} refused none of ${countNoun(acceptedInvalid.length, "invalid message")}. ${advice}`];
  // Only messages that violate the schema count: any reader refuses texts that are not JSON.
  const judgedInvalid = invalid.filter(
    ({ site, answer, outcome }) => site !== undefined && (answer !== undefined || outcome === "conforms"),
  );
  const documents = [...new Set(judgedInvalid.map(({ document }) => document))].filter((documentName) => {
    const askedOfDocument = judgedInvalid.filter(({ document }) => document === documentName);
    return (
      askedOfDocument.length >= minAccepted && askedOfDocument.every(({ answer }) => answer?.verdict === "accepted")
    );
  });
  if (documents.length === 0) return [];
  const count = judgedInvalid.filter(({ document }) => documents.includes(document)).length;
  return [
    `${name} refuses other messages, but none of ${count} of ${joinNames(documents, maxNamed)} that break ${documents.length === 1 ? "its schema" : "their schemas"}: they may not be checked at all.`,
  ];
}

/** Whether the target refused the message. Reports do not store the answers of conforming results, so the outcome decides for them. */
function isRefused({ verdict, outcome, answer }: Result): boolean {
  const isRightOrWrongReason = outcome === "conforms" || outcome === "wrong-reason";
  return answer === undefined ? verdict === "invalid" && isRightOrWrongReason : answer.verdict === "rejected";
}

/**
 * Describes invalid messages that were skipped because of an unjudged code. The profile lists such codes for valid messages: a server may not have
 * examined an invalid message that gets one.
 */
function describePassedOver({ results }: Run): string[] {
  const passedOver = results.filter(isPassedOver);
  if (passedOver.length === 0) return [];
  const codes = [...new Set(passedOver.flatMap(({ cause }) => (cause?.kind === "unjudged-code" ? [cause.code] : [])))];
  const documents = [...new Set(passedOver.map(({ document }) => document))];
  const affectedVectors = `${countNoun(passedOver.length, "invalid vector")} of ${joinNames(documents, maxNamed)} got the ${codes.length === 1 ? "code" : "codes"} ${joinNames(codes, maxNamed)}`;
  return [
    `${affectedVectors}, which the profile has under unjudged. So ${passedOver.length === 1 ? "it is" : "they are"} skipped, and it is not shown that the server checks such messages. If it gives the code only after its checks, the code belongs under accepted.`,
  ];
}

/** Describes refusals without any part that could be compared with the fault of the message. */
function describeMissingCodes({ results }: Run): string[] {
  const missingCodes = results.flatMap(({ answer }) => (answer?.verdict === "rejected" ? (answer.codeless ?? []) : []));
  const [first] = missingCodes;
  if (first === undefined) return [];
  const [withoutCode, unknownReason] =
    missingCodes.length === 1
      ? ["1 refusal has", "this message is refused, but not whether for its fault"]
      : [`${missingCodes.length} refusals have`, "these messages are refused, but not whether for their faults"];
  return [
    `${withoutCode} ${describeMissingCode(first)}, where the protocol has one: it is seen that ${unknownReason}.`,
  ];
}

/** Describes a target that ended during the run. (A target that never answered is a failure of the run.) */
function describeEndedTarget(run: Run): string[] {
  const lostResults = resultsAfterLoss(run);
  if (lostResults === undefined) return [];
  const count = countInWords(numberOf(lostResults.rest), kindsOf(lostResults.rest), "more ");
  return [`The target answered until ${lostResults.last.id}, and then refused connections: ${count} got no answer.`];
}

/** Describes a target that is slow, or that got more requests at once than it can handle. (A target that never answered is a failure of the run.) */
function describeLate({ results }: Run): string[] {
  const timedOut = results.filter(({ outcome, kind }) => outcome === "timed-out" && kind === "vector");
  if (timedOut.length === 0 || !results.some(({ outcome }) => outcome === "conforms")) return [];
  return [
    `${countInWords(timedOut.length, kindsOf(timedOut))} got no answer in time: --timeout gives more milliseconds to each, and --concurrency runs fewer at once.`,
  ];
}

/** Advises a module not to throw for invalid messages, because that counts as a crash. */
function describeThrowing({ target, results }: Run): string[] {
  const errored = results.filter(({ outcome }) => outcome === "errored");
  const isThrown = ({ cause, verdict }: Result): boolean => cause?.kind === "threw" && verdict !== "valid";
  if (target.kind !== "module" || errored.length === 0 || !errored.every(isThrown)) return [];
  return ["All errors are thrown by the function of the module: return false or { valid: false } instead of throwing."];
}

/** Describes mistakes that probably affect many assertions. */
function describeMistakes(run: Run): string[] {
  return likelyMistakes(run).map(
    ({ says, results }) => `One cause may be behind ${countInWords(results.length, kindsOf(results))}: ${says}`,
  );
}

/** Describes assertions on which validators disagree, if they make more than a twentieth of all vectors disputed. */
function describeDiffering({ results, counts }: Run): string[] {
  const countBySentence = new Map<string, number>();
  for (const { difference } of results) {
    if (difference === undefined) continue;
    const { by, site } = difference;
    const sentence = `${by.map(inFull).join(" and ")} refuse${by.length === 1 ? "s" : ""} at ${site.slice(site.indexOf("#"))}, and others accept`;
    countBySentence.set(sentence, (countBySentence.get(sentence) ?? 0) + 1);
  }
  return [...countBySentence]
    .filter(([, count]) => count * 20 > countRan(counts))
    .map(
      ([sentence, count]) =>
        `${count} of ${countRan(counts)} vectors are disputed: ${sentence}. Wrong answers to them are not reported: to have them judged, express the same with other keywords.`,
    );
}
