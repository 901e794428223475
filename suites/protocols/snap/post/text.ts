import { type MemberNode, parse } from "@humanwhocodes/momoa";
import { isObject, type Json, type JsonObject, type OutgoingMessage } from "../../../../schemas/index.ts";
import { signCheaply } from "../rules/signature.ts";
import { addressMessage, type Correspondent } from "./addressed-messages.ts";
import { sealMessage } from "./seal.ts";

type ByteRange = readonly [start: number, end: number];
type NamedRange = [name: string, range: ByteRange];

/** Maps each byte to one character, so that invalid UTF-8 survives. */
function toByteString(text: string | Uint8Array): string {
  return (typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text)).toString("latin1");
}

/** Parses a text as JSON. Undefined if that fails. */
export function valueIn(text: string | Uint8Array): Json | undefined {
  try {
    const source = typeof text === "string" ? text.toWellFormed() : Buffer.from(text).toString("utf8");
    return JSON.parse(source.replace(/^\ufeff/, "")) as Json;
  } catch {
    return undefined;
  }
}

/** Finds the range of the value of each top-level member. A repeated member has several ranges. */
function findMemberRanges(source: string): NamedRange[] {
  const start = /^(\u00ef\u00bb\u00bf)?/.exec(source)?.[0].length ?? 0;
  try {
    const { body } = parse(source.slice(start), { mode: "json", ranges: true });
    if (body.type !== "Object") return [];
    return body.members.map(({ name, value }: MemberNode) => {
      const [from, to] = value.range as unknown as ByteRange;
      return [name.type === "String" ? name.value : name.name, [start + from, start + to]];
    });
  } catch {
    // The text is not JSON: recognize the members that matter by their form.
    return [...source.matchAll(/"(id|from|to|timestamp|sig)"\s*:\s*("[^"\\]*"|[0-9]+)/g)].map(
      ([match, name, value]) => {
        const end = source.indexOf(match) + match.length;
        return [name as string, [end - (value as string).length, end]];
      },
    );
  }
}

/** Replaces the values in these ranges, from last to first, so that the earlier ranges stay valid. */
function replaceValues(
  source: string,
  ranges: readonly NamedRange[],
  values: Readonly<Record<string, Json | undefined>>,
): string {
  const lastFirst = ranges.toSorted(([, [left]], [, [right]]) => right - left);
  return lastFirst.reduce((text, [name, [start, end]]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? text : text.slice(0, start) + JSON.stringify(value) + text.slice(end);
  }, source);
}

/** Rewrites a text with fresh members, the recipient and a new signature. All other bytes stay unchanged. */
export function rewriteText(
  { text = "", fresh: freshMembers, keep }: OutgoingMessage,
  correspondent: Correspondent,
): Uint8Array {
  const source = toByteString(text);
  const ranges = findMemberRanges(source);
  const was = valueIn(text);
  const knownMessage = isObject(was) ? was : guessMessage(source, ranges);
  const { message, by } = addressMessage(freshMembers(knownMessage) as JsonObject, correspondent);
  const isKept = (name: string): boolean => keep.some((at) => at === `/${name}`);
  const changedNames = ["id", "from", "to", "timestamp"].filter(
    (name) => message[name] !== knownMessage[name] && !isKept(name),
  );
  const values = Object.fromEntries(changedNames.map((name) => [name, message[name]]));
  const updatedText = replaceValues(source, ranges, values);
  const updatedMessage = valueIn(Buffer.from(updatedText, "latin1"));
  const newSignature =
    isObject(updatedMessage) && by !== undefined
      ? (sealMessage(updatedMessage, by, signCheaply) as JsonObject).sig
      : undefined;
  return Buffer.from(
    newSignature === undefined ? updatedText : replaceValues(source, ranges, { ...values, sig: newSignature }),
    "latin1",
  );
}

/** Guesses the members of an unreadable text, as far as they can be recognized. */
function guessMessage(source: string, ranges: readonly NamedRange[]): JsonObject {
  return Object.fromEntries(
    ranges.flatMap(([name, [start, end]]) => {
      const value = valueIn(Buffer.from(source.slice(start, end), "latin1"));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
