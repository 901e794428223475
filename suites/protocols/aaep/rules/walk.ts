import { pointer } from "../../../../schemas/index.ts";

/** A scalar, a name, or a member with a repeated name, in a JSON text. */
export interface TextPiece {
  kind: "value" | "name" | "repeated";
  /** The JSON Pointer, made only on demand: in a deep text the pointers would be long. */
  at: () => string;
  /** The text as written; the value of a repeated member. */
  text: string;
  /** The first value of a repeated member. */
  first?: string;
}

interface OpenObject {
  /** The place of each member's value. */
  members: Map<string, [start: number, end: number]> | undefined;
  key: string | number;
  start: number;
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Reads a text that is valid JSON, without recursion. */
export function* walk(text: string): Iterable<TextPiece> {
  const open: OpenObject[] = [];
  const at = (): string => open.reduce((path, { key }) => pointer.append(path, key), "");
  let isName = false;
  for (const { 0: own, index } of text.matchAll(token)) {
    const top = open.at(-1);
    if (own === "{" || own === "[") {
      const members = own === "{" ? new Map<string, [number, number]>() : undefined;
      open.push({ members, key: own === "{" ? "" : 0, start: index });
      isName = own === "{";
    } else if (own === "}" || own === "]") {
      open.pop();
      isName = false;
      yield* endValue((top as OpenObject).start, index + 1);
    } else if (own === "," && top !== undefined) {
      isName = top.members !== undefined;
      if (typeof top.key === "number") top.key += 1;
    } else if (own === ":") isName = false;
    else if (isName && top !== undefined) {
      top.key = JSON.parse(own) as string;
      yield { kind: "name", at, text: own };
    } else {
      yield { kind: "value", at, text: own };
      yield* endValue(index, index + own.length);
    }
  }

  /** Stores the value of a member, or reports that the member has one already. */
  function* endValue(start: number, end: number): Iterable<TextPiece> {
    const { members, key } = open.at(-1) ?? {};
    if (members === undefined) return;
    const [from, to] = members.get(key as string) ?? [];
    if (from === undefined) members.set(key as string, [start, end]);
    else yield { kind: "repeated", at, text: text.slice(start, end), first: text.slice(from, to) };
  }
}
