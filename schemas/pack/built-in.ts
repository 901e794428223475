import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../home.ts";
import type { JsonObject } from "../json.ts";
import { builtInPacks } from "../packs.ts";
import type { Profile } from "../profile.ts";
import type { Protocol } from "../protocol.ts";
import type { RuleFile } from "../rule.ts";
import type { ProfileFile } from "./file.ts";
import { inheritedProfile, inheritedRules, inheritedSchemas } from "./inherit.ts";
import { byFamily } from "./order.ts";

/** The built-in protocol that `NAME` (its last version) or `NAME@VERSION` names; undefined if there is none. */
export function builtInNamed(reference: string): Protocol | undefined {
  const [name, version] = reference.split("@");
  const matchingPack = builtInPacks
    .filter((builtInPack) => builtInPack.name === name && (version === undefined || builtInPack.version === version))
    .at(-1);
  return matchingPack === undefined ? undefined : builtIn(matchingPack);
}

/** Reads a built-in protocol with all of its data. */
export function builtIn({ name, version }: { name: string; version: string }): Protocol {
  const folder = join(home, "schemas", name, version);
  const profile = readJsonFile<ProfileFile>(join(folder, "profile.json"));
  const rules = readJsonFile<RuleFile>(join(folder, "rules.json")).rules;
  const schemaOf = ({ file }: { file?: string }): JsonObject[] =>
    file === undefined ? [] : [readJsonFile<JsonObject>(join(folder, file))];
  const schemas = profile.documents.flatMap(schemaOf);
  if (profile.extends === undefined) return { name, version, folder, profile: profile as Profile, rules, schemas };
  const { pack, ...more } = profile.extends;
  const parent = builtInNamed(pack) as Protocol;
  const extension = { ...more, parent };
  const inherited = inheritedSchemas(extension, new Set(schemas.map(({ $id }) => String($id))));
  const allRules = [...rules, ...inheritedRules(extension, new Set(rules.map(({ id }) => id)))];
  const complete = inheritedProfile(profile, extension);
  const fileOf = new Map(inherited.map(({ file, schema }) => [String(schema.$id), file]));
  return {
    name,
    version,
    folder,
    extends: extension,
    profile: {
      ...complete,
      documents: complete.documents.map((document) => ({ file: fileOf.get(String(document.schema)), ...document })),
    } as Profile,
    rules: allRules.sort(byFamily(allRules)),
    schemas: [...schemas, ...inherited.map(({ schema }) => schema)],
  };
}

function readJsonFile<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
