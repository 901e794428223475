import { isObject, type Json } from "../../schemas/index.ts";
import { ofArrays } from "../formulas/facets.ts";
import { type Formula, facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { CountKeyword } from "../model/model.ts";
import { lengthOf } from "../regex/code-points.ts";
import type { KeywordHandler } from "./handler.ts";

/** What is counted: in which part of a shape, and how many there are in a value, `undefined` for a value without any. */
interface Counted {
  part: "string" | "array" | "object";
  count(value: Json): number | undefined;
}

const characters: Counted = {
  part: "string",
  count: (value) => (typeof value === "string" ? lengthOf(value) : undefined),
};
const items: Counted = { part: "array", count: (value) => (Array.isArray(value) ? value.length : undefined) };
const members: Counted = {
  part: "object",
  count: (value) => (isObject(value) ? Object.keys(value).length : undefined),
};

function least(kind: CountKeyword, { part, count }: Counted): KeywordHandler<CountKeyword> {
  return {
    ...counting(kind, part),
    holds: ({ limit }, value) => (count(value) ?? limit) >= limit,
    assert({ limit }, { shape }) {
      shape[part].min = Math.max(shape[part].min, limit);
      return true;
    },
    deny: ({ limit }) =>
      facet(kinds[part], (shape) => {
        shape[part].max = Math.min(shape[part].max, limit - 1);
      }),
  };
}

function most(kind: CountKeyword, { part, count }: Counted): KeywordHandler<CountKeyword> {
  return {
    ...counting(kind, part),
    holds: ({ limit }, value) => (count(value) ?? limit) <= limit,
    assert({ limit }, { shape }) {
      shape[part].max = Math.min(shape[part].max, limit);
      return true;
    },
    deny: ({ limit }) =>
      facet(kinds[part], (shape) => {
        shape[part].min = Math.max(shape[part].min, limit + 1);
      }),
  };
}

type Common = Pick<KeywordHandler<CountKeyword>, "isPlain" | "reads" | "exercise" | "content">;

function counting(kind: CountKeyword, part: Counted["part"]): Common {
  return {
    isPlain: true,
    reads: { [kind]: (site, value) => [{ kind, site, limit: value as number }] },
    exercise: (): Formula => ({ op: "kinds", kinds: kinds[part] }),
    content: ({ limit }) => `${kind} ${limit}`,
  };
}

/** One code point each; the latter two are where counting goes wrong. */
const letters = ["a", "\u{1f600}", "e\u0301"] as const;

const edges: NonNullable<KeywordHandler<"minLength" | "maxLength">["edges"]> = ({ limit }, value, longest) =>
  typeof value !== "string" || limit === 0 || limit > longest
    ? []
    : letters.map((letter) => [...letter.repeat(limit)].slice(0, limit).join(""));

export const minLength: KeywordHandler<"minLength"> = { ...least("minLength", characters), edges };
export const maxLength: KeywordHandler<"maxLength"> = { ...most("maxLength", characters), edges };
export const maxItems: KeywordHandler<"maxItems"> = most("maxItems", items);
export const minProperties: KeywordHandler<"minProperties"> = least("minProperties", members);
export const maxProperties: KeywordHandler<"maxProperties"> = most("maxProperties", members);

export const minItems: KeywordHandler<"minItems"> = {
  ...least("minItems", items),
  // So few that one less is too few.
  exercise: ({ limit }) =>
    ofArrays((array) => {
      array.max = Math.min(array.max, Math.max(limit, 1));
    }),
};
