import type { Change, Json } from "../../schemas/index.ts";
import { blameFor } from "../drafts/blame.ts";
import type { Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { show } from "../faults/fault.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import type { Faults } from "./isolation.ts";

const otherValues: readonly [detail: string, value: Json][] = [
  ["null", null],
  ["array", []],
  ["string", "text"],
  ["number", 7],
  ["boolean", true],
  ["object", {}],
];

/** Replaces the whole message by values of other types, if they break more than its type. A reader that accesses members first may crash. */
export function addValuesOfOtherTypes(subject: Subject, { valid, invalid }: Faults): void {
  const { model } = subject;
  const [parent] = valid.all;
  if (parent === undefined) return;
  for (const [detail, data] of otherValues) {
    if (invalid.has(data) || isValid(model, data)) continue;
    const blame = blameFor(subject, data, "root");
    const types = blame === undefined || blame.isAlone ? undefined : typesAt(model, blame.site);
    if (blame === undefined || types === undefined) continue;
    const change: Change[] = [{ op: "replace", path: "", value: data }];
    const naming = {
      name: ["", "wrong-type", detail],
      at: "",
      says: `is ${show(data)}, not ${types.join(" or ")}`,
    };
    const { site: because, place, route } = blame;
    const features = { tags: [], features: [], uniqueFeatures: [`${detail} in place of the whole`] };
    invalid.add({ data, ...naming, ...features, fault: "wrong-type", parent, change, because, place, route });
  }
}

/** Lists the types that an assertion allows, if it is a `type`. */
function typesAt(model: Model, site: Location): readonly string[] | undefined {
  const keyword = nodeAt(model, model.root).keywords.find((each) => each.site === site);
  return keyword?.kind === "type" ? keyword.types : undefined;
}
