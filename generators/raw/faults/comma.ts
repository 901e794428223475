import type { RawFamily } from "../raw.ts";
import { insert, isCompound } from "../text.ts";

/** Texts with one comma too many or too few. */
export const commaFamily: RawFamily = {
  name: "comma",
  *propose({ minimal: parent, find, spot }) {
    const { text, values, names } = parent.layout;
    const common = { issue: "malformed", clause: "RFC 8259, 4" } as const;
    if (isCompound(text)) {
      const [what, whole] = text.startsWith("[") ? ["item", "an array"] : ["member", "an object"];
      yield {
        ...common,
        issue: "extended",
        parent,
        detail: "trailing-in-object",
        text: insert(text, text.length - 1, ","),
        says: `has a comma after the last ${what} of ${whole}`,
      };
      yield {
        ...common,
        parent,
        detail: "leading-in-object",
        text: insert(text, 1, ","),
        says: `has a comma before the first ${what} of ${whole}`,
      };
    }
    const [first, second] = [...names.keys()].filter((key) => key.lastIndexOf("/") === 0);
    const end = first === undefined || second === undefined ? undefined : values.get(first)?.end;
    if (end !== undefined) {
      yield { ...common, parent, detail: "doubled", text: insert(text, end, ","), says: "has two commas in a row" };
      yield {
        ...common,
        parent,
        detail: "missing",
        text: `${text.slice(0, end)} ${text.slice(end + 1)}`,
        says: "has no comma between two members",
      };
    }
    const existingArray = find((value) => Array.isArray(value) && value.length > 0);
    const array = existingArray ?? spot([[0]]);
    if (array === undefined) return;
    const items = JSON.stringify(existingArray === undefined ? [0] : existingArray.value);
    yield {
      parent: array.parent,
      detail: "trailing-in-array",
      text: `${array.before}${insert(items, items.length - 1, ",")}${array.after}`,
      says: "has a comma after the last item of an array",
      issue: "extended",
      clause: "RFC 8259, 5",
      at: array.at,
    };
  },
};
