import { isObject, type Json } from "../../schemas/index.ts";
import { ofArrays } from "../formulas/facets.ts";
import { type Formula, facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { CountKeyword } from "../model/model.ts";
import { hasAtLeast, hasAtMost } from "../regex/code-points.ts";
import type { KeywordHandler } from "./handler.ts";

/** A counted part of a shape, with comparisons of the count and a limit. A value of another type satisfies both. */
interface CountedPart {
  part: "string" | "array" | "object";
  atLeast(value: Json, limit: number): boolean;
  atMost(value: Json, limit: number): boolean;
}

const characters: CountedPart = {
  part: "string",
  atLeast: (value, limit) => typeof value !== "string" || hasAtLeast(value, limit),
  atMost: (value, limit) => typeof value !== "string" || hasAtMost(value, limit),
};
const items: CountedPart = {
  part: "array",
  atLeast: (value, limit) => !Array.isArray(value) || value.length >= limit,
  atMost: (value, limit) => !Array.isArray(value) || value.length <= limit,
};
const members: CountedPart = {
  part: "object",
  atLeast: (value, limit) => !isObject(value) || Object.keys(value).length >= limit,
  atMost: (value, limit) => !isObject(value) || Object.keys(value).length <= limit,
};

function minimumHandler(kind: CountKeyword, { part, atLeast }: CountedPart): KeywordHandler<CountKeyword> {
  return {
    ...countHandler(kind, part),
    holds: ({ limit }, value) => atLeast(value, limit),
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

function maximumHandler(kind: CountKeyword, { part, atMost }: CountedPart): KeywordHandler<CountKeyword> {
  return {
    ...countHandler(kind, part),
    holds: ({ limit }, value) => atMost(value, limit),
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

type CountHandler = Pick<KeywordHandler<CountKeyword>, "isPlain" | "readers" | "exercise" | "content">;

function countHandler(kind: CountKeyword, part: CountedPart["part"]): CountHandler {
  return {
    isPlain: true,
    readers: { [kind]: (site, value) => [{ kind, site, limit: value as number }] },
    exercise: (): Formula => ({ op: "kinds", kinds: kinds[part] }),
    content: ({ limit }) => `${kind} ${limit}`,
  };
}

/** Texts to repeat. The last two reveal readers that count UTF-16 units or visible characters. */
const repeatedTexts = ["a", "\u{1f600}", "e\u0301"] as const;

const edges: NonNullable<KeywordHandler<"minLength" | "maxLength">["edges"]> = ({ limit }, value, longest) =>
  typeof value !== "string" || limit === 0 || limit > longest
    ? []
    : repeatedTexts.map((text) => [...text.repeat(limit)].slice(0, limit).join(""));

export const minLength: KeywordHandler<"minLength"> = { ...minimumHandler("minLength", characters), edges };
export const maxLength: KeywordHandler<"maxLength"> = { ...maximumHandler("maxLength", characters), edges };
export const maxItems: KeywordHandler<"maxItems"> = maximumHandler("maxItems", items);
export const minProperties: KeywordHandler<"minProperties"> = minimumHandler("minProperties", members);
export const maxProperties: KeywordHandler<"maxProperties"> = maximumHandler("maxProperties", members);

export const minItems: KeywordHandler<"minItems"> = {
  ...minimumHandler("minItems", items),
  // As few items as allowed, so that removing one breaks the limit.
  exercise: ({ limit }) =>
    ofArrays((array) => {
      array.max = Math.min(array.max, Math.max(limit, 1));
    }),
};
