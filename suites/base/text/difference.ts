import { isObject, type Json, pointer } from "../../../schemas/index.ts";

/** How many characters are shown on each side of a difference between texts, and of any other value. */
const contextLength = 30;
const maxLength = 100;

/** Describes the first difference between a returned value and the sent value, with its JSON Pointer; undefined if they are equal. Of long texts, only the part with the difference is shown. */
export function differenceIn(sent: Json, got: Json | undefined, at = ""): string | undefined {
  const location = at === "" ? "the whole value" : at;
  if (got === undefined) return `${location} is missing; ${abbreviateValue(sent)} was sent`;
  if (typeof sent === "string" && typeof got === "string") {
    if (sent === got) return undefined;
    const index = firstDifferingIndex(sent, got);
    const from = Math.max(0, index - contextLength);
    const part = (text: string): string =>
      `${JSON.stringify(text.slice(from, index + contextLength))} of ${text.length} characters`;
    return `${location} differs from character ${index + 1} on: sent ${part(sent)}, got ${part(got)}`;
  }
  if (Array.isArray(sent) && Array.isArray(got)) {
    if (sent.length !== got.length) return `${location} was sent with ${sent.length} items and has ${got.length}`;
    return firstDefined(sent.map((item, index) => differenceIn(item, got[index], pointer.append(at, String(index)))));
  }
  if (isObject(sent) && isObject(got)) {
    const addedName = Object.keys(got).find((name) => !Object.hasOwn(sent, name));
    const memberDifferences = Object.entries(sent).map(([name, member]) =>
      differenceIn(member as Json, Object.hasOwn(got, name) ? got[name] : undefined, pointer.append(at, name)),
    );
    return (
      firstDefined(memberDifferences) ??
      (addedName === undefined ? undefined : `${pointer.append(at, addedName)} is there and was not sent`)
    );
  }
  return Object.is(sent, got) || (sent === 0 && got === 0)
    ? undefined
    : `${location} is ${abbreviateValue(got)}; ${abbreviateValue(sent)} was sent`;
}

function firstDefined(differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}

function firstDifferingIndex(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return index;
}

/** Writes a value as JSON, and cuts it to 100 characters. */
export function abbreviateValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length} characters)`;
}
