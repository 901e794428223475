import { type Json, pointer } from "../../../schemas/index.ts";
import { applyChanges } from "../../changes/patch.ts";
import type { RawContext, RawFamily, RawParent } from "../raw.ts";

/** A repeated item in a list of unique items, as another spelling of the same number. Readers that compare texts do not notice it. */
export const repeatedItemFamily: RawFamily = {
  name: "repeated-item",
  dependsOnMembers: true,
  *propose({ find, accepts }: RawContext) {
    const isRefused = ({ value }: RawParent, at: string, item: Json): boolean => {
      const withRepeated = applyChanges(value, [{ op: "replace", path: pointer.append(at, 1), value: item }]);
      return withRepeated !== undefined && !accepts(withRepeated);
    };
    const place = find((value, at, { parent }) => {
      const [first, second] = Array.isArray(value) ? value : [];
      return isNonzeroInteger(first) && isNonzeroInteger(second) && first !== second && isRefused(parent, at, first);
    });
    if (place === undefined) return;
    const { parent, at, before, after } = place;
    const [first, , ...rest] = place.value as Json[];
    const items = [first, `${first}.0`, ...rest.map((item) => JSON.stringify(item))].join(",");
    const text = `${before}[${items}]${after}`;
    const says = `has the item ${first} twice, once with a point and a zero`;
    yield {
      parent,
      detail: "point-zero",
      text,
      says,
      issue: "refused",
      clause: "JSON Schema Core, 4.2.2",
      at,
      tags: ["number-spelling"],
    };
  },
};

function isNonzeroInteger(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && value !== 0;
}
