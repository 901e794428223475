import {
  breakingDifferences,
  breaks,
  type Compared,
  type ComparedDocument,
  type ComparedParty,
  type ComparisonPolicy,
  comparedPartiesOf,
  type Difference,
  parties,
  provenDifferences,
  type SchemaPlace,
  undecidedFor,
} from "./result.ts";

/** The result in one sentence, and a second one about the parts that were not compared. */
export function describeConclusion(result: Compared): string {
  const notCompared = result.notCompared ?? [];
  const moreText = notCompared.length > maxNotCompared ? `, and ${notCompared.length - maxNotCompared} more` : "";
  return `${resultOf(result)}${allowedIn(result)}${notCompared.length === 0 ? "" : ` Not compared: ${notCompared.slice(0, maxNotCompared).join(", ")}${moreText}.`}`;
}

const maxNotCompared = 5;

const policyNotes: Readonly<Record<ComparisonPolicy, string>> = {
  "added-parameter": "an optional parameter is new",
  format: "a format differs, which only describes",
};

/** Differences that are not breaking, with the option that makes them so. */
function allowedIn({ documents }: Compared): string {
  const differences = documents.flatMap((document) =>
    provenDifferences(document).flatMap(({ allowed: allowedBy }) => allowedBy ?? []),
  );
  const parts = [...new Set(differences)].map(
    (policy) =>
      `${policyNotes[policy]} in ${differences.filter((each) => each === policy).length} (a break with --break-on ${policy})`,
  );
  return parts.length === 0 ? "" : ` No break by itself: ${parts.join("; ")}.`;
}

function resultOf(result: Compared): string {
  const { documents, for: whom } = result;
  const partiesOf = (comparedDocument: ComparedDocument) => comparedPartiesOf(result, comparedDocument);
  const of = `${documents.length} ${documents.length === 1 ? "document" : "documents"}`;
  const partyNames =
    whom === "clients" ? ([["clients", parties]] as const) : parties.map((party) => [party, [party]] as const);
  const brokenParties = partyNames.map(([name, differencesOfParty]) => {
    const isBroken = (comparedDocument: ComparedDocument) =>
      differencesOfParty.some(
        (party) => partiesOf(comparedDocument).includes(party) && breaks(comparedDocument, party),
      );
    return [name, documents.filter(isBroken).length] as const;
  });
  const breaking = brokenParties.filter(([, count]) => count > 0);
  const open = documents.filter((document) =>
    partiesOf(document).some((party) => undecidedFor(document, party) !== undefined),
  ).length;
  if (breaking.length > 0)
    return `Breaking: ${breaking.map(([party, count]) => `${party} in ${count} of ${of}`).join(", ")}.${open > 0 ? ` Undecided: ${open}.` : ""}`;
  if (open > 0) return `Undecided: ${open} of ${of}. Nothing is known to break.`;
  if (documents.every(({ state }) => state === "same"))
    return `Compatible: ${of}, and both versions accept the same messages (proven).`;
  const isRefusing = documents.some(({ of, state }) => of === "refusal" && state === "added");
  if (whom === "clients")
    return `Compatible for clients: the new version accepts every request of the old one, and gives no answer that the old one does not${isRefusing ? ", but refusals" : ""} (proven, ${of}).`;
  return whom !== "consumers"
    ? `Compatible for producers: the new version accepts every message that the old one accepts (proven, ${of}).`
    : `Compatible for consumers: the old version accepts every message that the new one accepts (proven, ${of}).`;
}

/** The meaning of a document's state for the parties of the report, in a few words. */
export function stateOf(document: ComparedDocument, result: Pick<Compared, "for">): string {
  const whom = comparedPartiesOf(result, document);
  const { state, open } = document;
  if (state === "same") return "accepts the same (proven)";
  if (document.of === "refusal") return `${state}: a refusal, as clients have to expect anyway (RFC 9110, 15)`;
  if (state === "added") return whom.includes("consumers") ? "added: breaks consumers that do not know it" : "added";
  if (state === "removed") return whom.includes("producers") ? "removed: breaks producers" : "removed";
  const partyBreaks = breakingDifferences(document);
  const allowedDifferences = (change: Difference["change"]) =>
    document.differences.filter((difference) => difference.change === change && difference.allowed !== undefined)
      .length;
  const count = (change: Difference["change"]) =>
    partyBreaks.filter((partyBreak) => partyBreak.change === change).length;
  const part = (party: ComparedParty): string => {
    const change = party === "producers" ? "refused" : "accepted";
    if (count(change) > 0)
      return `${count(change)} ${count(change) === 1 ? "difference breaks" : "differences break"} ${party}`;
    if (allowedDifferences(change) > 0 && open[change] === undefined) return `no break for ${party} by itself`;
    return open[change] === undefined && !document.differences.some((difference) => difference.change === change)
      ? `compatible for ${party} (proven)`
      : `undecided for ${party}`;
  };
  return whom.map(part).join(", ");
}

/** Why it is unknown whether a document differs, a line for each direction. */
export function openOf({ open }: ComparedDocument): string[] {
  return [
    ...(open.refused === undefined ? [] : [`whether the new version refuses more is not known: ${open.refused}`]),
    ...(open.accepted === undefined ? [] : [`whether the new version accepts more is not known: ${open.accepted}`]),
  ];
}

/** A difference in one sentence. */
export function describeDifference({ change, asserts, beside, at }: Difference): string {
  const where = at === "" ? "" : ` at ${at}`;
  const other =
    beside === undefined || beside === asserts ? "" : change === "refused" ? ` (was ${beside})` : ` (now ${beside})`;
  return change === "refused"
    ? `now refused${where}: ${asserts}${other}`
    : `now accepted${where}: was refused by ${asserts}${other}`;
}

export function formatPlace({ location, file, line, column }: SchemaPlace): string {
  return file === undefined
    ? location
    : `${file}:${line}:${column} ${location.slice(location.indexOf("#"))}`.replace(/ #$/, "");
}
