import { equal, type Json, type JsonObject } from "../../schemas/index.ts";
import { lookAlike } from "../regex/look-alike.ts";
import { type Family, type Proposal, replace, show } from "./fault.ts";
import { unlistedText } from "./kin.ts";
import { looseComparisons } from "./loose-comparison.ts";

/** A value outside a closed list, or other than the constant: near misses of the present value first. */
export const enumeration: Family = {
  name: "enum",
  keywords: ["enum", "const"],
  *propose({ keyword, at, value, first }) {
    if (keyword.kind !== "enum" && keyword.kind !== "const") return;
    const allowed = keyword.kind === "enum" ? keyword.values : [keyword.value];
    const describe = (other: Json) =>
      `is ${show(other)}, not ${keyword.kind === "const" ? show(keyword.value) : "in the list"}`;
    const candidates = [...nearMisses(value, allowed), ...nearOthers(allowed, value)].filter(
      ([, other]) => !allowed.some((allowedValue) => equal(allowedValue, other)),
    );
    const fault = keyword.kind === "enum" ? "not-in-enum" : "not-the-constant";
    for (const [detail, other] of first ? candidates : candidates.slice(0, 1)) {
      yield {
        fault,
        detail,
        site: keyword.site,
        at,
        change: replace(at, other),
        says: describe(other),
      } satisfies Proposal;
    }
  },
};

/** Small changes of a string. They are applied to the strings of a list in turn. */
const textChanges: [detail: string, change: (text: string) => string][] = [
  ["other-case", (text) => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase())],
  ["longer", (text) => `${text}s`],
  ["trailing-space", (text) => `${text} `],
  ["other-beginning", (text) => `x${text}`],
  ["shorter", (text) => text.slice(0, -1)],
];

/** Lists near misses of allowed values other than the present one. Of a long list, only the first strings have near misses. */
function nearOthers(allowed: readonly Json[], value: Json): [detail: string, value: Json][] {
  const otherTexts = allowed.filter((each): each is string => typeof each === "string" && each !== value);
  const flags = allowed.filter((each): each is boolean => typeof each === "boolean" && each !== value);
  const texts = otherTexts.slice(0, maxOtherTexts).map((text, index): [string, Json] => {
    const [detail, change] =
      separatorChangeFor(text) ?? (textChanges[index % textChanges.length] as (typeof textChanges)[number]);
    return [`${detail}-of-another-${index + 1}`, change(text)];
  });
  const numbers = allowed.filter((each) => typeof each === "number");
  const pastLargest: [string, Json][] = numbers.length < 2 ? [] : [["past-the-largest", Math.max(...numbers) + 1]];
  return [...texts, ...flags.map((flag): [string, Json] => ["opposite-of-another", !flag]), ...pastLargest];
}

/** Exchanges hyphens and underscores between words. */
function separatorChangeFor(text: string): (typeof textChanges)[number] | undefined {
  if (/[a-z]_[a-z]/i.test(text)) return ["other-separator", (each) => each.replaceAll("_", "-")];
  return /[a-z]-[a-z]/i.test(text) ? ["other-separator", (each) => each.replaceAll("-", "_")] : undefined;
}

const maxOtherTexts = 20;

function nearMisses(value: Json, allowed: readonly Json[]): [detail: string, value: Json][] {
  if (typeof value === "string") {
    const otherCase = value.toUpperCase() === value ? value.toLowerCase() : value.toUpperCase();
    return [
      ["unknown", unlistedText(allowed)],
      ["other-case", otherCase],
      ["capitalised", value.slice(0, 1).toUpperCase() + value.slice(1)],
      ["leading-space", ` ${value}`],
      ["trailing-space", `${value} `],
      ["line-feed-at-the-end", `${value}\n`],
      ["one-character-short", value.slice(0, -1)],
      ["one-character-long", `${value}s`],
      ["look-alike-letter", lookAlike(value)],
      ["empty", ""],
      ["null", null],
      ["in-a-list", [value]],
    ];
  }
  if (typeof value === "boolean")
    return [
      ["opposite", !value],
      ["as-text", String(value)],
      ["as-number", value ? 1 : 0],
      ["null", null],
    ];
  if (value === null)
    return [
      ["as-text", "null"],
      ["empty", ""],
      ["false", false],
      ["zero", 0],
    ];
  if (typeof value === "number")
    return [
      ["one-more", value + 1],
      ["one-less", value - 1],
      ["as-text", String(value)],
      ["a-half-more", value + 0.5],
      ...(value === 0 || value === 1 ? [["as-boolean", value === 1] satisfies [string, Json]] : []),
      ["null", null],
    ];
  return [
    ["null", null],
    ["text", "unknown-value"],
    ["empty-object", {}],
    ["empty-array", []],
    ["as-text", JSON.stringify(value)],
    ...(Array.isArray(value) ? nearLists(value) : nearObjects(value)),
    ...looseComparisons.flatMap(([, equals], index): [string, Json][] =>
      equals(value)
        .slice(0, 1)
        .map((other) => [index === 0 ? "boolean-for-a-number-in-it" : "text-for-a-number-in-it", other]),
    ),
  ];
}

function nearLists(value: readonly Json[]): [detail: string, value: Json][] {
  return [
    ["one-item-more", [...value, null]],
    ["one-item-less", value.slice(0, -1)],
    ["turned-round", [...value].reverse()],
    ["in-a-list", [[...value]]],
  ];
}

function nearObjects(value: JsonObject): [detail: string, value: Json][] {
  return [
    ["one-member-more", { ...value, unexpected_member: null }],
    ["one-member-less", Object.fromEntries(Object.entries(value).slice(0, -1))],
    ["in-a-list", [value]],
  ];
}
