import type { InCommon, Result } from "../../../schemas/index.ts";
import { truncate } from "../../base/text/escape.ts";
import { countNoun } from "../wording/phrases.ts";

/** The number of documents with a sentence each; a mistake in a shared definition shows in every document that refers to it. */
const maxDocuments = 3;

/** The only difference between the refused and the accepted valid messages, in a sentence for each document; known failures are left out. */
export function describeJointRefusals({
  inCommon = [],
  results,
}: {
  inCommon?: InCommon[];
  results: readonly Result[];
}): string[] {
  const known = new Set(results.filter(isKnown).map(({ document }) => document));
  const features = inCommon.filter(({ document }) => !known.has(document));
  if (features.length === 0) return [];
  const more = features.length - maxDocuments;
  const rest = more > 0 ? ` So it is in ${countNoun(more, "more document")}, each with something of its own.` : "";
  return [
    `${features.slice(0, maxDocuments).map(inWords).join(" ")}${rest} The following failures may come from this.`,
  ];
}

function isKnown({ verdict, outcome, known }: Result): boolean {
  return verdict === "valid" && outcome === "violates" && known !== undefined;
}

function inWords({ document, refused, accepted, by, have }: InCommon): string {
  const what = have.map(({ at, value }) => (value === undefined ? `a value at ${at}` : `${showValue(value)} at ${at}`));
  const no = `${countNoun(refused, "valid message")} of ${document} that ${refused === 1 ? "was" : "were"} refused`;
  return by === "refused"
    ? `All ${no} have ${what.join(" and ")}, and none of the ${accepted} that were accepted has.`
    : `None of the ${no} has ${what.join(" or ")}, and all ${accepted} that were accepted have.`;
}

function showValue(value: unknown): string {
  return truncate(JSON.stringify(value), 80);
}
