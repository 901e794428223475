import { pointer } from "../../../../schemas/index.ts";

/** A part of a JSON text: a scalar, a name, or the value of a member with a repeated name. */
export interface TextPiece {
  kind: "value" | "name" | "repeated";
  /** Makes the JSON Pointer on demand, because all pointers of a deeply nested text would be very long. */
  at: () => string;
  /** The text of the piece as written. For a repeated member, this is the text of its later value. */
  text: string;
  /** The first value of a repeated member. */
  first?: string;
}

interface OpenContainer {
  /** The offsets of each member's value; undefined for a list. */
  members: Map<string, [start: number, end: number]> | undefined;
  key: string | number;
  start: number;
}

/** Matches a string, a punctuation character, or any other scalar. */
const tokenPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Yields the parts of a text that is valid JSON. It does not recurse, so it can read deeply nested texts. */
export function* walkText(text: string): Iterable<TextPiece> {
  const openContainers: OpenContainer[] = [];
  const at = (): string => openContainers.reduce((path, { key }) => pointer.append(path, key), "");
  let isName = false;
  for (const { 0: token, index } of text.matchAll(tokenPattern)) {
    const innermostContainer = openContainers.at(-1);
    if (token === "{" || token === "[") {
      const members = token === "{" ? new Map<string, [number, number]>() : undefined;
      openContainers.push({ members, key: token === "{" ? "" : 0, start: index });
      isName = token === "{";
    } else if (token === "}" || token === "]") {
      openContainers.pop();
      isName = false;
      yield* endValue((innermostContainer as OpenContainer).start, index + 1);
    } else if (token === "," && innermostContainer !== undefined) {
      isName = innermostContainer.members !== undefined;
      if (typeof innermostContainer.key === "number") innermostContainer.key += 1;
    } else if (token === ":") isName = false;
    else if (isName && innermostContainer !== undefined) {
      innermostContainer.key = JSON.parse(token) as string;
      yield { kind: "name", at, text: token };
    } else {
      yield { kind: "value", at, text: token };
      yield* endValue(index, index + token.length);
    }
  }

  /** Stores the value of a member, or yields it if the member already has one. */
  function* endValue(start: number, end: number): Iterable<TextPiece> {
    const { members, key } = openContainers.at(-1) ?? {};
    if (members === undefined) return;
    const [firstStart, firstEnd] = members.get(key as string) ?? [];
    if (firstStart === undefined) members.set(key as string, [start, end]);
    else yield { kind: "repeated", at, text: text.slice(start, end), first: text.slice(firstStart, firstEnd) };
  }
}
