import type { Json } from "../../../schemas/index.ts";
import type { RawFamily } from "../raw.ts";
import { escapedLower, escapedUpper, quoteText, writeText } from "../text.ts";

/** Names and strings with other escapes, or with none. */
export const spellingFamily: RawFamily = {
  name: "spelling",
  *propose({ minimal, find }) {
    const parentWithAstralAndControl = parentWith((text) => /[^\u0000-\uffff]/u.test(text) && /[\b\f\t]/.test(text));
    const parent = parentWithAstralAndControl ?? parentWith((text) => /\P{ASCII}/u.test(text)) ?? minimal;
    const parentWithSlash = parentWith((text) => text.includes("/"));
    const common = { parent, issue: "rewritten" } as const;
    const { value } = parent;
    yield {
      ...common,
      detail: "unescaped",
      text: parent.layout.text,
      says: "has no escape that is not needed",
    };
    yield {
      ...common,
      detail: "escaped",
      text: writeText(value, { name: escapedLower, string: escapedLower }).text,
      says: "has every character of names and strings as \\uXXXX, digits in lower case",
    };
    yield {
      ...common,
      detail: "escaped-upper",
      text: writeText(value, { name: escapedUpper, string: escapedUpper }).text,
      says: "has every character of names and strings as \\uXXXX, digits in upper case",
    };
    yield {
      ...common,
      detail: "escaped-names",
      text: writeText(value, { name: escapedLower }).text,
      says: "has every character of names as \\uXXXX",
    };
    yield {
      ...common,
      detail: "ascii",
      text: writeText(value, { name: escapeNonAscii, string: escapeNonAscii }).text,
      says: "is ASCII, with escapes for all other characters",
    };
    if (parentWithSlash !== undefined) {
      yield {
        ...common,
        parent: parentWithSlash,
        detail: "solidus",
        text: writeText(parentWithSlash.value, { name: escapeSlashes, string: escapeSlashes }).text,
        says: "has \\/ for every slash",
      };
    }

    function parentWith(test: (text: string) => boolean): typeof minimal | undefined {
      return find((value: Json) => typeof value === "string" && test(value))?.parent;
    }
  },
};

function escapeNonAscii(text: string): string {
  return quoteText(text).replaceAll(/[\u007f-\uffff]/g, (unit) => escapedLower(unit).slice(1, -1));
}

function escapeSlashes(text: string): string {
  return quoteText(text).replaceAll("/", "\\/");
}
