import {
  breakingDifferences,
  breaks,
  type ComparedDocument,
  type ComparedParty,
  type ComparisonPolicy,
  comparedPartiesOf,
  type Difference,
  parties,
  provenDifferences,
  type SchemaPlace,
  undecidedFor,
  type VersionComparison,
} from "./result.ts";

/** The result in one sentence, and a second one about the parts that were not compared. */
export function describeConclusion(result: VersionComparison): string {
  const notCompared = result.notCompared ?? [];
  const moreText = notCompared.length > maxNotCompared ? `, and ${notCompared.length - maxNotCompared} more` : "";
  return `${describeResult(result)}${describeAllowed(result)}${notCompared.length === 0 ? "" : ` Not compared: ${notCompared.slice(0, maxNotCompared).join(", ")}${moreText}.`}`;
}

const maxNotCompared = 5;

const policyNotes: Readonly<Record<ComparisonPolicy, string>> = {
  "added-parameter": "an optional parameter is new",
  format: "a format differs, which only describes",
};

/** A sentence about the differences that are not breaking, with the option that makes them breaking. */
function describeAllowed({ documents }: VersionComparison): string {
  const differences = documents.flatMap((document) =>
    provenDifferences(document).flatMap(({ allowed: policy }) => policy ?? []),
  );
  const parts = [...new Set(differences)].map(
    (policy) =>
      `${policyNotes[policy]} in ${differences.filter((allowedPolicy) => allowedPolicy === policy).length} (a break with --break-on ${policy})`,
  );
  return parts.length === 0 ? "" : ` No break by itself: ${parts.join("; ")}.`;
}

function describeResult(result: VersionComparison): string {
  const { documents, for: audience } = result;
  const partiesOf = (comparedDocument: ComparedDocument) => comparedPartiesOf(result, comparedDocument);
  const documentCount = `${documents.length} ${documents.length === 1 ? "document" : "documents"}`;
  const partyNames =
    audience === "clients" ? ([["clients", parties]] as const) : parties.map((party) => [party, [party]] as const);
  const brokenParties = partyNames.map(([name, members]) => {
    const isBroken = (comparedDocument: ComparedDocument) =>
      members.some((party) => partiesOf(comparedDocument).includes(party) && breaks(comparedDocument, party));
    return [name, documents.filter(isBroken).length] as const;
  });
  const breaking = brokenParties.filter(([, count]) => count > 0);
  const open = documents.filter((document) =>
    partiesOf(document).some((party) => undecidedFor(document, party) !== undefined),
  ).length;
  if (breaking.length > 0)
    return `Breaking: ${breaking.map(([party, count]) => `${party} in ${count} of ${documentCount}`).join(", ")}.${open > 0 ? ` Undecided: ${open}.` : ""}`;
  if (open > 0) return `Undecided: ${open} of ${documentCount}. Nothing is known to break.`;
  if (documents.every(({ state }) => state === "same"))
    return `Compatible: ${documentCount}, and both versions accept the same messages (proven).`;
  const isRefusing = documents.some(({ of, state }) => of === "refusal" && state === "added");
  if (audience === "clients")
    return `Compatible for clients: the new version accepts every request of the old one, and gives no answer that the old one does not${isRefusing ? ", but refusals" : ""} (proven, ${documentCount}).`;
  return audience !== "consumers"
    ? `Compatible for producers: the new version accepts every message that the old one accepts (proven, ${documentCount}).`
    : `Compatible for consumers: the old version accepts every message that the new one accepts (proven, ${documentCount}).`;
}

/** The meaning of a document's state for the parties of the report, in a few words. */
export function describeState(document: ComparedDocument, result: Pick<VersionComparison, "for">): string {
  const comparedParties = comparedPartiesOf(result, document);
  const { state, open } = document;
  if (state === "same") return "accepts the same (proven)";
  if (document.of === "refusal") return `${state}: a refusal, as clients have to expect anyway (RFC 9110, 15)`;
  if (state === "added")
    return comparedParties.includes("consumers") ? "added: breaks consumers that do not know it" : "added";
  if (state === "removed") return comparedParties.includes("producers") ? "removed: breaks producers" : "removed";
  const partyBreaks = breakingDifferences(document);
  const allowedDifferences = (change: Difference["change"]) =>
    document.differences.filter((difference) => difference.change === change && difference.allowed !== undefined)
      .length;
  const count = (change: Difference["change"]) =>
    partyBreaks.filter((partyBreak) => partyBreak.change === change).length;
  const describeParty = (party: ComparedParty): string => {
    const change = party === "producers" ? "refused" : "accepted";
    if (count(change) > 0)
      return `${count(change)} ${count(change) === 1 ? "difference breaks" : "differences break"} ${party}`;
    if (allowedDifferences(change) > 0 && open[change] === undefined) return `no break for ${party} by itself`;
    return open[change] === undefined && !document.differences.some((difference) => difference.change === change)
      ? `compatible for ${party} (proven)`
      : `undecided for ${party}`;
  };
  return comparedParties.map(describeParty).join(", ");
}

/** Why it is unknown whether a document differs, a line for each direction. */
export function describeUndecided({ open }: ComparedDocument): string[] {
  return [
    ...(open.refused === undefined ? [] : [`whether the new version refuses more is not known: ${open.refused}`]),
    ...(open.accepted === undefined ? [] : [`whether the new version accepts more is not known: ${open.accepted}`]),
  ];
}

/** A difference in one sentence. */
export function describeDifference({ change, asserts, beside, at }: Difference): string {
  const placeText = at === "" ? "" : ` at ${at}`;
  const tense = change === "refused" ? "was" : "now";
  const counterpart = beside === undefined || beside === asserts ? "" : ` (${tense} ${beside})`;
  return change === "refused"
    ? `now refused${placeText}: ${asserts}${counterpart}`
    : `now accepted${placeText}: was refused by ${asserts}${counterpart}`;
}

export function formatPlace({ location, file, line, column }: SchemaPlace): string {
  return file === undefined
    ? location
    : `${file}:${line}:${column} ${location.slice(location.indexOf("#"))}`.replace(/ #$/, "");
}
