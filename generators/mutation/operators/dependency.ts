import { isObject, type JsonObject, pointer } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { type KeywordOf, type Model, type Node, nodeAt } from "../../model/model.ts";
import { withKeyword } from "../change.ts";
import { type Changed, either, stricter } from "../extra.ts";
import type { Mutant, Operator } from "../mutant.ts";

/** A member that is null is thought to be absent, where others depend on it or it depends on others. */
export const dependency: Operator = {
  name: "null-dependency",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      const { kind, site } = keyword;
      const mutant = (effect: Mutant["effect"], says: string, changed: Changed | undefined) =>
        changed === undefined
          ? []
          : [{ effect, fine: true as const, soon: true as const, site, keyword: kind, says, ...changed }];
      if (kind === "dependentRequired") {
        for (const [name, required] of keyword.entries) {
          if (mayBeNull(node, model, name))
            yield* mutant("weaker", `${name} is absent when it is null`, freed(node, raw, keyword, name, required));
          for (const other of required)
            if (mayBeNull(node, model, other))
              yield* mutant(
                "stronger",
                `${other}, on which ${name} depends, is absent when it is null`,
                stricter(node, raw, { not: { required: [name, other], properties: { [other]: { type: "null" } } } }),
              );
        }
      } else if (kind === "dependentSchemas")
        for (const [name, to] of keyword.entries) {
          const written = pointer.at(pointer.append("", name), raw[lastOf(site)] ?? null);
          if (mayBeNull(node, model, name) && isObject(written))
            yield* mutant(
              "weaker",
              `${name} is absent when it is null`,
              either(nodeAt(model, to), written, { properties: { [name]: { type: "null" } } }, model),
            );
        }
    }
  },
};

/** What depends on a member need not be there where that is null. */
function freed(
  node: Node,
  raw: JsonObject,
  keyword: KeywordOf<"dependentRequired">,
  name: string,
  required: string[],
): Changed {
  const entries = keyword.entries.filter(([each]) => each !== name);
  const { edits, nodes } = stricter(withKeyword(node, keyword, { ...keyword, entries }), raw, {
    not: { required: [name], properties: { [name]: { not: { type: "null" } } }, not: { required } },
  });
  return { edits: [{ at: pointer.append(keyword.site, name) }, ...edits], nodes };
}

/** Whether the schema itself lets a member be null, as far as it says anything of it. */
function mayBeNull({ keywords }: Node, model: Model, name: string): boolean {
  const own = keywords.find((each) => each.kind === "properties");
  const entry = own?.kind === "properties" ? own.entries.find(([each]) => each === name) : undefined;
  return entry === undefined || holdsAt(model, entry[1], null);
}

/** The name under which a keyword is written: in older drafts two are one. */
function lastOf(site: string): string {
  return site.slice(site.lastIndexOf("/") + 1);
}
