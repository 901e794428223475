import { canonical, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import {
  contextOf,
  digestedPart,
  isSignatureOf,
  type Key,
  type Signature,
  sha256,
  wrongDigests,
} from "./callback-signature.ts";

type Write = (value: Json) => string;

function escapeSigns(signs: RegExp): Write {
  const codeSign = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return (value) => canonical(value).replace(signs, codeSign);
}

/** Writes JSON with the members of objects in another order, or without some. */
function writeValue(
  value: Json,
  order: (left: string, otherContext: string) => number,
  omits: (value: Json) => boolean = () => false,
): string {
  if (Array.isArray(value)) return `[${value.map((each) => writeValue(each, order, omits)).join()}]`;
  if (!isObject(value)) return canonical(value);
  const names = Object.keys(value)
    .filter((name) => !omits(value[name] as Json))
    .sort(order);
  return `{${names.map((name) => `${canonical(name)}:${writeValue(value[name] as Json, order, omits)}`).join()}}`;
}

const byUnits = (left: string, right: string): number => (left < right ? -1 : 1);
const byBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

/** Spellings of JSON by libraries that are not canonical, each with the rule that it breaks. */
const spellings: [rule: string, description: string, write: Write][] = [
  ["AHCP-SIG-004", "with <, > and & escaped", escapeSigns(/[<>&]/g)],
  ["AHCP-SIG-004", "with <, >, &, U+2028 and U+2029 escaped", escapeSigns(/[<>&\u2028\u2029]/g)],
  ["AHCP-SIG-004", "with U+2028 and U+2029 escaped", escapeSigns(/[\u2028\u2029]/g)],
  ["AHCP-SIG-004", "with all but ASCII escaped", escapeSigns(/[\u0080-\uffff]/g)],
  ["AHCP-SIG-004", "with U+007F and all but ASCII escaped", escapeSigns(/[\u007f-\uffff]/g)],
  [
    "AHCP-SIG-004",
    "with control characters in upper case",
    (value) => canonical(value).replace(/\\u00[01][0-9a-f]/g, (sign) => `\\u${sign.slice(2).toUpperCase()}`),
  ],
  ["AHCP-SIG-004", "with slashes escaped", (value) => canonical(value).replaceAll("/", "\\/")],
  ["AHCP-SIG-004", "with a line feed behind it", (value) => `${canonical(value)}\n`],
  ["AHCP-SIG-004", "with members in the order of their code points", (value) => writeValue(value, byBytes)],
  ["AHCP-SIG-004", "with members in the order of arrival", (value) => writeValue(value, () => 0)],
  ["AHCP-SIG-004", "without members that are null", (value) => writeValue(value, byUnits, (each) => each === null)],
  ["AHCP-SIG-004", "in Unicode form NFC", (value) => canonical(value).normalize("NFC")],
  ["AHCP-SIG-005", "with 1e21 for 1e+21", (value) => canonical(value).replaceAll("e+", "e")],
  ["AHCP-SIG-005", "with 1e-07 for 1e-7", (value) => canonical(value).replace(/e([+-])(\d)(?!\d)/g, "e$10$2")],
];

/** The part of two texts around their first difference. */
function differingParts(left: string, right: string): [string, string] {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const excerpt = (text: string): string => `${at > 12 ? "…" : ""}${text.slice(Math.max(0, at - 12), at + 24)}…`;
  return [excerpt(left), excerpt(right)];
}

/** The rule that a signature over another spelling breaks, with the signed text; undefined if no known spelling fits. */
export function misspelledTexts(
  body: JsonObject,
  url: string,
  signature: Signature,
  key: Key,
): { rule: string; why: string } | undefined {
  const payload = digestedPart(body);
  for (const [rule, description, write] of spellings) {
    const context = { ...contextOf(body, url, signature), payload_sha256: sha256(write(payload)).toString("hex") };
    const isBoth = isSignatureOf(context, signature, key, write);
    if (!isBoth && !isSignatureOf(context, signature, key)) continue;
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

/** The digested text, to compare it with another. */
export function digestedText(body: JsonObject): string {
  const text = canonical(digestedPart(body));
  const shownText =
    text.length > maxShownLength ? `${text.slice(0, maxShownLength)}… (${text.length} characters)` : text;
  return `payload_sha256 is ${sha256(text).toString("hex")}, of ${shownText}`;
}

/** The rule that a wrong signature breaks, with its mistake: the signature fits another context; undefined if no mistake is known. */
export function findMistake(
  body: JsonObject,
  url: string,
  signature: Signature,
  key: Key,
): { rule: string; why: string } | undefined {
  const context = contextOf(body, url, signature);
  const { payload_sha256: _, ...nine } = context;
  const normalizedUrl = new URL(url);
  const otherContexts: [rule: string, why: string, context: JsonObject][] = [
    ["AHCP-SIG-003", "signs the nine members of 0.2", nine],
    ["AHCP-SIG-003", "signs t as a number", { ...context, t: Number(signature.t) }],
    [
      "AHCP-SIG-007",
      `signs another spelling of the URL: ${normalizedUrl.href}`,
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
  const mistake = otherContexts.find(([, , right]) => isSignatureOf(right, signature, key));
  if (mistake !== undefined) return { rule: mistake[0], why: mistake[1] };
  const spelling = misspelledTexts(body, url, signature, key);
  return spelling === undefined ? undefined : { ...spelling, why: `does not verify: ${spelling.why}` };
}

/** The message about a signature that fits no known context, with the text that it should sign. */
export function describeExpected(body: JsonObject, url: string, signature: Signature): string {
  const expectedText = `${canonical(contextOf(body, url, signature))}, in which ${digestedText(body)}`;
  const key = 'does not verify with the key that callbackAuth, or the hook "key", gives (is it the hub\'s?)';
  return `${key} over the ten members, rebuilt from what came: ${expectedText}`;
}
