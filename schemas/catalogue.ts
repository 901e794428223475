import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TouchstoneError } from "./error.ts";
import type { Freedom, FreedomFile } from "./freedom.ts";
import { home } from "./home.ts";
import type { JsonObject } from "./json.ts";
import { closest } from "./nearest.ts";
import type { Document, Profile } from "./profile.ts";
import type { Rule, RuleFile } from "./rule.ts";

/** A protocol with everything that is known of it as data. */
export interface Protocol {
  name: string;
  version: string;
  folder: string;
  profile: Profile;
  rules: Rule[];
  /** The schema of every document, in the profile's order. */
  schemas: JsonObject[];
}

interface PackList {
  packs: { name: string; version: string }[];
  example: Readonly<Record<"protocol" | "rule" | "vector" | "scenario" | "agentRule" | "walk", string>>;
}

/** The packs that come with the package, in the order in which they are shown, and names by which help texts show what is meant. */
const list = json<PackList>(join(home, "schemas", "packs.json"));

export const known: readonly { name: string; version: string }[] = list.packs;

/** Names that are there, for examples. */
export const example: PackList["example"] = list.example;

/** Resolves `name`, `name@version` or `all`. Throws a usage error, with the nearest name, for anything else. */
export function protocolsNamed(name: string): Protocol[] {
  if (name === "all") return known.map(read);
  const [wanted, wantedVersion] = name.split("@");
  const found = known.find((each) => each.name === wanted);
  if (found === undefined) {
    const names = known.map((each) => each.name);
    throw new TouchstoneError("usage", `there is no protocol "${name}"`, {
      hint: `${closest(wanted ?? "", names)}known protocols: ${names.join(", ")}, or all`,
    });
  }
  if (wantedVersion !== undefined && wantedVersion !== found.version) {
    throw new TouchstoneError("usage", `there is no version "${wantedVersion}" of ${found.name}`, {
      hint: `the version here is ${found.name}@${found.version}`,
    });
  }
  return [read(found)];
}

/** The one protocol of that name. */
export function protocolNamed(name: string): Protocol {
  const [protocol, ...others] = protocolsNamed(name);
  if (protocol === undefined || others.length > 0) {
    throw new TouchstoneError("usage", `"${name}" is not one protocol`, {
      hint: `name one of ${known.map((each) => each.name).join(", ")}`,
    });
  }
  return protocol;
}

/** The document of that name. Throws a usage error, with the nearest name, when there is none. */
export function documentNamed(protocol: Protocol, name: string): Document {
  const found = protocol.profile.documents.find((document) => document.name === name);
  if (found !== undefined) return found;
  const names = protocol.profile.documents.map((document) => document.name);
  throw new TouchstoneError("usage", `${protocol.name} has no document "${name}"`, {
    hint: `${closest(name, names)}its documents: ${names.join(", ")}`,
  });
}

/** What the protocol leaves to its implementers; nothing where its pack says nothing of it. */
export function freedomsOf({ folder }: Pick<Protocol, "folder">): Freedom[] {
  const file = join(folder, "freedoms.json");
  return existsSync(file) ? json<FreedomFile>(file).freedoms : [];
}

function read({ name, version }: { name: string; version: string }): Protocol {
  const folder = join(home, "schemas", name, version);
  const profile = json<Profile>(join(folder, "profile.json"));
  return {
    name,
    version,
    folder,
    profile,
    rules: json<RuleFile>(join(folder, "rules.json")).rules,
    schemas: profile.documents.map((document) => json<JsonObject>(join(folder, document.file))),
  };
}

function json<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

/** Our own formats, by file name without `.schema.json`. */
export function ownSchemas(): Record<string, JsonObject> {
  const folder = join(home, "schemas", "touchstone");
  if (!existsSync(folder)) return {};
  return Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith(".schema.json"))
      .sort()
      .map((file) => [file.replace(".schema.json", ""), json<JsonObject>(join(folder, file))]),
  );
}
