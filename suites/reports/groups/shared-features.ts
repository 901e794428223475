import type { InCommon, Result } from "../../../schemas/index.ts";
import { truncate } from "../../base/text/escape.ts";
import { countNoun } from "../wording/phrases.ts";

/** The maximum number of documents with a sentence. A mistake in a shared definition affects every document that refers to it. */
const maxDocuments = 3;

/** Describes, for each document, the only difference between its refused and its accepted valid messages. Documents with known failures are left out. */
export function describeCommonFeatures({
  inCommon = [],
  results,
}: {
  inCommon?: InCommon[];
  results: readonly Result[];
}): string[] {
  const knownDocuments = new Set(results.filter(isKnown).map(({ document }) => document));
  const features = inCommon.filter(({ document }) => !knownDocuments.has(document));
  if (features.length === 0) return [];
  const moreDocuments = features.length - maxDocuments;
  const rest =
    moreDocuments > 0
      ? ` ${countNoun(moreDocuments, "more document")} ${moreDocuments === 1 ? "has" : "have"} a similar pattern.`
      : "";
  return [
    `${features.slice(0, maxDocuments).map(describeFeature).join(" ")}${rest} The following failures may come from this.`,
  ];
}

function isKnown({ verdict, outcome, known }: Result): boolean {
  return verdict === "valid" && outcome === "violates" && known !== undefined;
}

function describeFeature({ document, refused, accepted, by, have }: InCommon): string {
  const values = have.map(({ at, value }) =>
    value === undefined ? `a value at ${at}` : `${showValue(value)} at ${at}`,
  );
  const messages = `${countNoun(refused, "valid message")} of ${document} that ${refused === 1 ? "was" : "were"} refused`;
  return by === "refused"
    ? `All ${messages} have ${values.join(" and ")}, and none of the ${accepted} accepted ones do.`
    : `None of the ${messages} has ${values.join(" or ")}, and all ${accepted} accepted ones do.`;
}

function showValue(value: unknown): string {
  return truncate(JSON.stringify(value), 80);
}
