import { existsSync } from "node:fs";
import { join } from "node:path";
import { usualCover } from "../coverage.ts";
import { TouchstoneError } from "../error.ts";
import { mustBe, placeOf } from "../faults.ts";
import { shownPath } from "../files.ts";
import type { JsonObject } from "../json.ts";
import { closest } from "../nearest.ts";
import { at as valueAt } from "../pointer.ts";
import type { Rule } from "../rule.ts";
import { readJson } from "../text.ts";
import { readWhole } from "../whole-file.ts";
import type { RuleEntry, RulesFile } from "./file.ts";

/** The rules of a pack; none without a file. Throws a usage error with the line of what is wrong. */
export function packRules(
  folder: string,
  schemas: readonly JsonObject[],
  aliases: ReadonlyMap<string, string>,
): Rule[] {
  const path = join(folder, "rules.json");
  if (!existsSync(path)) return [];
  const file = shownPath(path);
  const text = readJson(readWhole(path), file);
  mustBe("rules", file, text);
  const { rules } = text.value as unknown as RulesFile;
  const fail = (at: string, what: string, hint: string): never => {
    throw new TouchstoneError("usage", what, { where: placeOf(file, text, { at }), hint });
  };
  return rules.map((rule, index) => {
    if (rules.findIndex(({ id }) => id === rule.id) < index)
      fail(`/rules/${index}/id`, `the rule ${rule.id} is there before`, "give each an id of its own");
    const sites = rule.sites?.map((site, place) => {
      const [id = "", pointer = ""] = site.split("#");
      const schema = schemas.find(({ $id }) => $id === (aliases.get(id) ?? id));
      const at = `/rules/${index}/sites/${place}`;
      if (schema === undefined) {
        const names = [...aliases.keys(), ...schemas.map(({ $id }) => String($id))];
        fail(at, `no schema of the pack is called ${id}`, `${closest(id, names)}there are: ${names.join(", ")}`);
      } else if (valueAt(pointer, schema) === undefined)
        fail(at, `${id} has nothing at #${pointer}`, "give the JSON Pointer of a keyword, or of what is above it");
      return `${schema?.$id}#${pointer}`;
    });
    return ruleFrom({ ...rule, ...(sites === undefined ? {} : { sites }) });
  });
}

/** A rule with all that its entry leaves out. */
export function ruleFrom(entry: RuleEntry): Rule {
  const check = entry.check ?? (entry.sites === undefined ? "semantic" : "schema");
  return {
    level: "MUST",
    clause: "-",
    binds: ["message"],
    check,
    status: { covered: usualCover(check) },
    ...entry,
  };
}
