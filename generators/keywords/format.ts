import { formatHolds, isAsserted } from "../formats/check.ts";
import { doubtOf } from "../formats/doubtful-times.ts";
import { ofStrings } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import type { KeywordHandler } from "./handler.ts";
import type { Reader } from "./reading.ts";

const read: Reader = (site, value) =>
  isAsserted(value as string) ? [{ kind: "format", site, format: value as string }] : [];

export const format: KeywordHandler<"format"> = {
  readers: { format: read, "format-assertion": read },
  holds({ format }, value, { evaluation }) {
    if (typeof value !== "string" || evaluation.ignoresFormat?.(format) === true) return true;
    if (evaluation.withoutDoubt === true && doubtOf(format, value) !== undefined) return false;
    return formatHolds(format, value) ?? evaluation.formatDoubt ?? false;
  },
  assert({ format }, { shape }) {
    shape.string.formats.push(format);
    return true;
  },
  deny: ({ format }) => ofStrings(({ notFormats }) => notFormats.push(format)),
  exercise: () => ({ op: "kinds", kinds: kinds.string }),
  content: ({ format }) => `format ${format}`,
};
