import { type Json, typeOf } from "../../schemas/index.ts";
import { everyKind, kindsOf } from "../formulas/kinds.ts";
import type { KeywordHandler } from "./handler.ts";

export function isType(type: string, value: Json): boolean {
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeOf(value) === type;
}

export const type: KeywordHandler<"type"> = {
  isPlain: true,
  readers: {
    type: (site, value) => [{ kind: "type", site, types: Array.isArray(value) ? value : [value as string] }],
  },
  holds({ types }, value) {
    for (const type of types) if (isType(type, value)) return true;
    return false;
  },
  assert({ types }, { shape }) {
    shape.kinds &= kindsOf(types);
    return shape.kinds !== 0;
  },
  deny: ({ types }) => ({ op: "kinds", kinds: everyKind & ~kindsOf(types) }),
  content: ({ types }) => `type ${[...types].sort().join()}`,
};
