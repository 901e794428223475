import type { Json } from "../../../schemas/index.ts";
import type { RawFamily } from "../raw.ts";
import { escapedLower, escapedUpper, quoteText, write } from "../text.ts";

/** Names and strings in other escapes, or in none. */
export const spelling: RawFamily = {
  name: "spelling",
  *propose({ minimal, find }) {
    const mixed = parentWith((text) => /[^\u0000-\uffff]/u.test(text) && /[\b\f\t]/.test(text));
    const parent = mixed ?? parentWith((text) => /\P{ASCII}/u.test(text)) ?? minimal;
    const slashed = parentWith((text) => text.includes("/"));
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
      text: write(value, { name: escapedLower, string: escapedLower }).text,
      says: "has every character of names and strings as \\uXXXX, digits in lower case",
    };
    yield {
      ...common,
      detail: "escaped-upper",
      text: write(value, { name: escapedUpper, string: escapedUpper }).text,
      says: "has every character of names and strings as \\uXXXX, digits in upper case",
    };
    yield {
      ...common,
      detail: "escaped-names",
      text: write(value, { name: escapedLower }).text,
      says: "has every character of names as \\uXXXX",
    };
    yield {
      ...common,
      detail: "ascii",
      text: write(value, { name: ascii, string: ascii }).text,
      says: "is ASCII, with escapes for all other characters",
    };
    if (slashed !== undefined) {
      yield {
        ...common,
        parent: slashed,
        detail: "solidus",
        text: write(slashed.value, { name: solidus, string: solidus }).text,
        says: "has \\/ for every slash",
      };
    }

    function parentWith(test: (text: string) => boolean): typeof minimal | undefined {
      return find((there: Json) => typeof there === "string" && test(there))?.parent;
    }
  },
};

function ascii(text: string): string {
  return quoteText(text).replaceAll(/[\u007f-\uffff]/g, (unit) => escapedLower(unit).slice(1, -1));
}

function solidus(text: string): string {
  return quoteText(text).replaceAll("/", "\\/");
}
