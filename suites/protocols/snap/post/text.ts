import { type MemberNode, parse } from "@humanwhocodes/momoa";
import { isObject, type Json, type JsonObject, type OutgoingMessage } from "../../../../schemas/index.ts";
import { signCheaply } from "../rules/signature.ts";
import { addressMessage, type Correspondent } from "./addressed-messages.ts";
import { sealMessage } from "./seal.ts";

type ByteRange = readonly [start: number, end: number];
type NamedRange = [name: string, range: ByteRange];

/** Reads a byte as a character, so that all bytes survive. */
function characters(text: string | Uint8Array): string {
  return (typeof text === "string" ? Buffer.from(text, "utf8") : Buffer.from(text)).toString("latin1");
}

/** The value of a text; undefined if it cannot be parsed. */
export function valueIn(text: string | Uint8Array): Json | undefined {
  try {
    const source = typeof text === "string" ? text.toWellFormed() : Buffer.from(text).toString("utf8");
    return JSON.parse(source.replace(/^\ufeff/, "")) as Json;
  } catch {
    return undefined;
  }
}

/** The places of the values of the root's members; repeated members occur twice. */
function ranges(source: string): NamedRange[] {
  const start = /^(\u00ef\u00bb\u00bf)?/.exec(source)?.[0].length ?? 0;
  try {
    const { body } = parse(source.slice(start), { mode: "json", ranges: true });
    if (body.type !== "Object") return [];
    return body.members.map(({ name, value }: MemberNode) => {
      const [from, to] = value.range as unknown as ByteRange;
      return [name.type === "String" ? name.value : name.name, [start + from, start + to]];
    });
  } catch {
    return [...source.matchAll(/"(id|from|to|timestamp|sig)"\s*:\s*("[^"\\]*"|[0-9]+)/g)].map(([all, name, value]) => {
      const end = source.indexOf(all) + all.length;
      return [name as string, [end - (value as string).length, end]];
    });
  }
}

/** Replaces the values at these places. */
function putText(
  source: string,
  places: readonly NamedRange[],
  values: Readonly<Record<string, Json | undefined>>,
): string {
  const last = places.toSorted(([, [left]], [, [right]]) => right - left);
  return last.reduce((text, [name, [start, end]]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? text : text.slice(0, start) + JSON.stringify(value) + text.slice(end);
  }, source);
}

/** The bytes with fresh members, the recipient, and a signature of the new content; the rest is unchanged. */
export function rewriteText(
  { text = "", fresh: freshMembers, keep }: OutgoingMessage,
  party: Correspondent,
): Uint8Array {
  const source = characters(text);
  const places = ranges(source);
  const was = valueIn(text);
  const knownMessage = isObject(was) ? was : guessMessage(source, places);
  const { message, by } = addressMessage(freshMembers(knownMessage) as JsonObject, party);
  const isKept = (name: string): boolean => keep.some((at) => at === `/${name}`);
  const changedNames = ["id", "from", "to", "timestamp"].filter(
    (name) => message[name] !== knownMessage[name] && !isKept(name),
  );
  const values = Object.fromEntries(changedNames.map((name) => [name, message[name]]));
  const dated = putText(source, places, values);
  const now = valueIn(Buffer.from(dated, "latin1"));
  const newSignature =
    isObject(now) && by !== undefined ? (sealMessage(now, by, signCheaply) as JsonObject).sig : undefined;
  return Buffer.from(
    newSignature === undefined ? dated : putText(source, places, { ...values, sig: newSignature }),
    "latin1",
  );
}

/** The members of an unreadable text, if they can be recognized. */
function guessMessage(source: string, places: readonly NamedRange[]): JsonObject {
  return Object.fromEntries(
    places.flatMap(([name, [start, end]]) => {
      const value = valueIn(Buffer.from(source.slice(start, end), "latin1"));
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
