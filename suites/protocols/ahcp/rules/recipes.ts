import { canonical, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { sha256 } from "./signature.ts";

/** A known mistake in the computation of a payload's digest. It makes the signature invalid. */
export interface Recipe {
  name: string;
  /** The rule that forbids it. */
  rule: "AHCP-SIG-004" | "AHCP-SIG-005";
  /** Completes the sentence "the digest was made …". */
  says: string;
  /** Throws if the payload has no canonical form. */
  digest(response: Json, state: Json): string;
}

/** A way to write JSON that differs from the canonical form. */
interface JsonStyle {
  number?(value: number): string;
  /** Writes a string, with its quotes. */
  text?(value: string): string;
  order?(a: string, b: string): number;
}

function writeValue(value: Json, style: JsonStyle): string {
  if (typeof value === "number") return (style.number ?? canonical)(value);
  if (typeof value === "string") return (style.text ?? canonical)(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeValue(item, style)).join(",")}]`;
  if (!isObject(value)) return canonical(value);
  const names = Object.keys(value).sort(style.order);
  return `{${names.map((name) => `${writeValue(name, style)}:${writeValue(value[name] as Json, style)}`).join(",")}}`;
}

function escapedStyle(pattern: RegExp): JsonStyle {
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { text: (value) => canonical(value).replace(pattern, code) };
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

const jsonStyles: readonly [name: string, says: string, style: JsonStyle][] = [
  [
    "padded-exponent",
    "with two digits in each exponent",
    { number: (value) => canonical(value).replace(/e([+-])(\d)$/, "e$10$2") },
  ],
  [
    "unsigned-exponent",
    "without the sign of a positive exponent",
    { number: (value) => canonical(value).replace("e+", "e") },
  ],
  ["capital-exponent", "with a capital E in numbers", { number: (value) => canonical(value).toUpperCase() }],
  ["fractions", "with a fraction on whole numbers", { number: (value) => canonical(value).replace(/^-?\d+$/, "$&.0") }],
  ["single-precision", "with numbers of single precision", { number: (value) => canonical(Math.fround(value)) }],
  ["escaped-letters", "with letters beyond ASCII escaped", escapedStyle(/[^\0-\x7f]/g)],
  ["escaped-markup", "with <, > and & escaped", escapedStyle(/[<>&]/g)],
  ["escaped-separators", "with U+2028 and U+2029 escaped", escapedStyle(/[\u2028\u2029]/g)],
  ["escaped-slash", "with slashes escaped", { text: (value) => canonical(value).replaceAll("/", "\\/") }],
  ["composed", "with texts composed (NFC)", { text: (value) => canonical(value.normalize("NFC")) }],
  ["decomposed", "with texts decomposed (NFD)", { text: (value) => canonical(value.normalize("NFD")) }],
  ["code-point-order", "with members in the order of code points", { order: byCodePoint }],
];

const payloadRecipes: readonly [name: string, says: string, digest: Recipe["digest"]][] = [
  [
    "absent-left-out",
    "without the member that is absent",
    (response, state) => {
      const present = Object.entries({ response, state }).filter(([, value]) => value !== null);
      return sha256(canonical(Object.fromEntries(present)));
    },
  ],
  ["unwrapped-response", "over the response alone", (response) => sha256(canonical(response))],
  ["without-state", "without the state", (response) => sha256(canonical({ response, state: null }))],
  [
    "empty-state-as-none",
    "as if an empty state were none",
    (response, state) => {
      const isEmpty = isObject(state) && Object.keys(state).length === 0;
      return sha256(canonical({ response, state: isEmpty ? null : state }));
    },
  ],
  [
    "members-as-they-came",
    "over members in the order of arrival",
    (response, state) => sha256(JSON.stringify({ response, state })),
  ],
  [
    "with-spaces",
    "over indented text",
    (response, state) => sha256(JSON.stringify(JSON.parse(canonical({ response, state })), null, 2)),
  ],
  [
    "capital-digits",
    "in capital hexadecimal digits",
    (response, state) => sha256(canonical({ response, state })).toUpperCase(),
  ],
  [
    "in-base64",
    "in base64",
    (response, state) => Buffer.from(sha256(canonical({ response, state })), "hex").toString("base64"),
  ],
];

/** All known recipes. */
export const recipes: readonly Recipe[] = [
  ...payloadRecipes.map(([name, says, digest]): Recipe => ({ name, rule: "AHCP-SIG-004", says, digest })),
  ...jsonStyles.map(
    ([name, says, style]): Recipe => ({
      name,
      rule: "AHCP-SIG-005",
      says,
      digest: (response, state) => sha256(writeValue({ response, state }, style)),
    }),
  ),
];

/** Finds the known mistake that produces this digest. */
export function recipeOf(digest: string, { response = null, state = null }: JsonObject): Recipe | undefined {
  return recipes.find((recipe) => {
    try {
      return recipe.digest(response, state) === digest;
    } catch {
      return false;
    }
  });
}
