import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TouchstoneError } from "./error.ts";
import type { Freedom, FreedomFile } from "./freedom.ts";
import { closestBeside, nearestName } from "./nearest-name.ts";
import { builtIn } from "./pack/built-in.ts";
import { inheritedFreedoms } from "./pack/grounds.ts";
import { isPackPath } from "./pack/path.ts";
import { readPack, withCode } from "./pack/read.ts";
import { builtInPacks, profileFile } from "./packs.ts";
import type { Document } from "./profile.ts";
import type { CodeSource, Protocol } from "./protocol.ts";

/**
 * Resolves `name` (its last version), `name@version`, `all`, or the folder of a user's pack. Throws a usage error, with the nearest name,
 * for anything else, and for a broken pack. `by` says who named the pack: its code is never loaded if the name was read from a file or an id.
 */
export function protocolsNamed(name: string, by: CodeSource | "a file" = "given"): Protocol[] {
  if (name === "all") return builtInPacks.map(builtIn);
  const [wantedName = "", wantedVersion] = name.split("@");
  const versionsFound = builtInPacks.filter((builtInPack) => builtInPack.name === wantedName);
  if (versionsFound.length === 0) {
    if (isFile(name) && basename(name) !== profileFile) throw notPackError(name);
    if (/\.(json|ya?ml)$/i.test(name) && !existsSync(name)) throw missingFileError(name);
    if (isPackPath(name)) return [by === "a file" ? readPack(name) : withCode(readPack(name), by)];
    const names = builtInPacks.map((builtInPack) => builtInPack.name);
    throw new TouchstoneError("usage", `unknown protocol "${name}"`, {
      hint: `${nearestName(wantedName, names)}known protocols: ${names.join(", ")}, or all; or give the folder of a pack, with a slash in it`,
    });
  }
  const wantedPack =
    wantedVersion === undefined ? versionsFound.at(-1) : versionsFound.find(({ version }) => version === wantedVersion);
  if (wantedPack !== undefined) return [builtIn(wantedPack)];
  const knownVersions = versionsFound.map(({ version }) => `${wantedName}@${version}`);
  throw new TouchstoneError("usage", `there is no version "${wantedVersion}" of ${wantedName}`, {
    hint: `the version here is ${knownVersions.join(", or ")}`,
  });
}

function missingFileError(name: string): TouchstoneError {
  const folder = dirname(name);
  const siblings = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : [];
  const files = siblings.filter((sibling) => /\.(json|ya?ml)$/i.test(sibling));
  return new TouchstoneError("usage", `the file "${name}" does not exist`, {
    hint: `${closestBeside(name, files)}give the path of an OpenAPI document, the folder of a pack, or a protocol`,
  });
}

const isFile = (name: string): boolean => statSync(name, { throwIfNoEntry: false })?.isFile() === true;

function notPackError(name: string): TouchstoneError {
  return new TouchstoneError("usage", `"${name}" is a file, and a pack is a folder`, {
    hint: `make one with "touchstone generate ${name} --out FOLDER" (a JSON Schema: "--schema ${name}"), and give the folder, with a slash in it`,
  });
}

/** Returns the protocol of that name. Throws a usage error if the name stands for several. */
export function protocolNamed(name: string): Protocol {
  const [protocol, ...others] = protocolsNamed(name);
  if (protocol === undefined || others.length > 0) {
    throw new TouchstoneError("usage", `"${name}" is not one protocol`, {
      hint: `name one of ${builtInPacks.map((builtInPack) => builtInPack.name).join(", ")}`,
    });
  }
  return protocol;
}

/** Returns the document of that name. Throws a usage error with the nearest name if there is none. */
export function documentNamed(protocol: Protocol, name: string): Document {
  const match = protocol.profile.documents.find((document) => document.name === name);
  if (match !== undefined) return match;
  const names = protocol.profile.documents.map((document) => document.name);
  throw new TouchstoneError("usage", `${protocol.name} has no document "${name}"`, {
    hint: `${nearestName(name, names)}its documents: ${names.join(", ")}`,
  });
}

/** The freedoms that the protocol gives to implementers, with those of the pack that it extends; none if neither lists any. */
export function freedomsOf({ folder, extends: extension }: Pick<Protocol, "folder" | "extends">): Freedom[] {
  const file = join(folder, "freedoms.json");
  const ownFreedoms = existsSync(file) ? readJsonFile<FreedomFile>(file).freedoms : [];
  return extension === undefined
    ? ownFreedoms
    : [...ownFreedoms, ...inheritedFreedoms(extension, freedomsOf(extension.parent), ownFreedoms)];
}

function readJsonFile<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
