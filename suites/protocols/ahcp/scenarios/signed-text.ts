import { canonical, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import {
  contextOf,
  digestedPart,
  type Key,
  type Signature,
  sha256,
  verifiesContext,
  wrongDigests,
} from "./callback-signature.ts";

type Write = (value: Json) => string;

function escapeCharacters(characters: RegExp): Write {
  const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return (value) => canonical(value).replace(characters, toEscape);
}

/** Writes JSON with the members of objects in this order. Omits a member if `omits` is true for its value. */
function writeValue(
  value: Json,
  order: (left: string, right: string) => number,
  omits: (value: Json) => boolean = () => false,
): string {
  if (Array.isArray(value)) return `[${value.map((each) => writeValue(each, order, omits)).join()}]`;
  if (!isObject(value)) return canonical(value);
  const names = Object.keys(value)
    .filter((name) => !omits(value[name] as Json))
    .sort(order);
  return `{${names.map((name) => `${canonical(name)}:${writeValue(value[name] as Json, order, omits)}`).join()}}`;
}

const compareUtf16 = (left: string, right: string): number => (left < right ? -1 : 1);
const compareCodePoints = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Known deviations of libraries from canonical JSON, each with the rule that it breaks. */
const misspellings: [rule: string, description: string, write: Write][] = [
  ["AHCP-SIG-004", "with <, > and & escaped", escapeCharacters(/[<>&]/g)],
  ["AHCP-SIG-004", "with <, >, &, U+2028 and U+2029 escaped", escapeCharacters(/[<>&\u2028\u2029]/g)],
  ["AHCP-SIG-004", "with U+2028 and U+2029 escaped", escapeCharacters(/[\u2028\u2029]/g)],
  ["AHCP-SIG-004", "with all but ASCII escaped", escapeCharacters(/[\u0080-\uffff]/g)],
  ["AHCP-SIG-004", "with U+007F and all but ASCII escaped", escapeCharacters(/[\u007f-\uffff]/g)],
  [
    "AHCP-SIG-004",
    "with escaped control characters in upper case",
    (value) => canonical(value).replace(/\\u00[01][0-9a-f]/g, (escaped) => `\\u${escaped.slice(2).toUpperCase()}`),
  ],
  ["AHCP-SIG-004", "with slashes escaped", (value) => canonical(value).replaceAll("/", "\\/")],
  ["AHCP-SIG-004", "with a line feed at the end", (value) => `${canonical(value)}\n`],
  ["AHCP-SIG-004", "with members sorted by code points", (value) => writeValue(value, compareCodePoints)],
  ["AHCP-SIG-004", "with members in the order of the submitted message", (value) => writeValue(value, () => 0)],
  [
    "AHCP-SIG-004",
    "without members that are null",
    (value) => writeValue(value, compareUtf16, (each) => each === null),
  ],
  ["AHCP-SIG-004", "normalized to NFC", (value) => canonical(value).normalize("NFC")],
  ["AHCP-SIG-005", "with 1e21 instead of 1e+21", (value) => canonical(value).replaceAll("e+", "e")],
  ["AHCP-SIG-005", "with 1e-07 instead of 1e-7", (value) => canonical(value).replace(/e([+-])(\d)(?!\d)/g, "e$10$2")],
];

/** Excerpts of two texts around their first difference. */
function differingParts(left: string, right: string): [string, string] {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  const excerpt = (text: string): string =>
    `${index > 12 ? "…" : ""}${text.slice(Math.max(0, index - 12), index + 24)}…`;
  return [excerpt(left), excerpt(right)];
}

/** Finds the misspelling of JSON that was signed, with the rule that it breaks; undefined if none of them verifies. */
export function misspelledTexts(
  body: JsonObject,
  url: string,
  signature: Signature,
  key: Key,
): { rule: string; why: string } | undefined {
  const payload = digestedPart(body);
  for (const [rule, description, write] of misspellings) {
    const context = { ...contextOf(body, url, signature), payload_sha256: sha256(write(payload)).toString("hex") };
    const isContextMisspelled = verifiesContext(context, signature, key, write);
    if (!isContextMisspelled && !verifiesContext(context, signature, key)) continue;
    const [canonicalText, signedText] =
      write(payload) === canonical(payload)
        ? [canonical(context), write(context)]
        : [canonical(payload), write(payload)];
    const [canonicalPart, signedPart] = differingParts(canonicalText, signedText);
    return {
      rule,
      why: `the JSON is signed ${description}: ${signedPart}, and the canonical text is ${canonicalPart}`,
    };
  }
  return undefined;
}

const maxShownLength = 400;

/** Describes the digested text, so that an implementer can compare it with their own. */
export function digestedText(body: JsonObject): string {
  const text = canonical(digestedPart(body));
  const shownText =
    text.length > maxShownLength ? `${text.slice(0, maxShownLength)}… (${text.length} characters)` : text;
  return `payload_sha256 is ${sha256(text).toString("hex")}, of ${shownText}`;
}

/** Finds the known mistake that explains a wrong signature, and the rule that it breaks; undefined if there is none. */
export function findMistake(
  body: JsonObject,
  url: string,
  signature: Signature,
  key: Key,
): { rule: string; why: string } | undefined {
  const context = contextOf(body, url, signature);
  const { payload_sha256: _, ...contextWithoutDigest } = context;
  const normalizedUrl = new URL(url);
  const otherContexts: [rule: string, why: string, context: JsonObject][] = [
    ["AHCP-SIG-003", "signs the nine members of 0.2", contextWithoutDigest],
    ["AHCP-SIG-003", "signs t as a number", { ...context, t: Number(signature.t) }],
    [
      "AHCP-SIG-007",
      `signs a different spelling of the URL: ${normalizedUrl.href}`,
      { ...context, callback_url: normalizedUrl.href },
    ],
    [
      "AHCP-SIG-007",
      "signs the URL without its query",
      { ...context, callback_url: `${normalizedUrl.origin}${normalizedUrl.pathname}` },
    ],
    ...wrongDigests(body).map(([why, digest]): [string, string, JsonObject] => [
      "AHCP-SIG-004",
      why,
      { ...context, payload_sha256: digest },
    ]),
  ];
  const mistake = otherContexts.find(([, , otherContext]) => verifiesContext(otherContext, signature, key));
  if (mistake !== undefined) return { rule: mistake[0], why: mistake[1] };
  const spelling = misspelledTexts(body, url, signature, key);
  return spelling === undefined ? undefined : { ...spelling, why: `does not verify: ${spelling.why}` };
}

/** Describes what should have been signed, for a signature with an unknown mistake. */
export function describeExpected(body: JsonObject, url: string, signature: Signature): string {
  const expectedText = `${canonical(contextOf(body, url, signature))}, in which ${digestedText(body)}`;
  const verdict = 'does not verify with the key that callbackAuth, or the hook "key", returns (is it the hub\'s key?)';
  return `${verdict} over the ten members, built from the push that arrived: ${expectedText}`;
}
