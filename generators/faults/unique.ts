import { type Change, isObject, type Json } from "../../schemas/index.ts";
import type { Family, Proposal } from "./fault.ts";

/** An item that occurs twice, also in another spelling of the same value. */
export const repeatedItemFamily: Family = {
  name: "unique",
  keywords: ["uniqueItems"],
  *propose({ keyword, at, value, first }) {
    if (keyword.kind !== "uniqueItems" || !Array.isArray(value) || value.length === 0) return;
    const item = value[0] as Json;
    const proposeCopy = (detail: string | undefined, copy: Json, says: string): Proposal => ({
      fault: "repeated-item",
      ...(detail === undefined ? {} : { detail }),
      site: keyword.site,
      at,
      change: [{ op: "add", path: `${at}/-`, value: copy }],
      says,
    });
    yield proposeCopy(undefined, item, "repeats an item");
    if (first && !isObject(item)) {
      const path = `${at}/-`;
      const change: Change[] = [
        { op: "add", path, value: { a: 1, b: 2 } },
        { op: "add", path, value: { b: 2, a: 1 } },
      ];
      yield { ...proposeCopy("objects", null, "has an object twice"), change, tags: ["member-order"] };
    }
    if (first && isObject(item) && Object.keys(item).length > 1) {
      const reversed = Object.fromEntries(Object.entries(item).reverse());
      yield {
        ...proposeCopy("other-order", reversed, "repeats an item with its members in another order"),
        tags: ["member-order"],
      };
    }
  },
};
