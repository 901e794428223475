import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  builtInPacks,
  type CodeSource,
  type Config,
  isPackPath,
  type Protocol,
  profileFile,
  protocolsNamed,
  type Report,
  readPack,
  withCode,
} from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import { withAllRules } from "../../packs/pack/load.ts";
import { configFor } from "../options/settings.ts";
import { findGeneratedPack, resolveProtocols } from "./description.ts";

/** How a command finds its protocol: by the command line, a report or a configuration. */
export interface Naming {
  /** By an option of this command line. */
  named?: string | undefined;
  /** By the report of an earlier run: read only as data, unless the configuration names it as well. */
  remembered?: string | undefined;
  /** The configuration that is read, or false for none. A discovered one may contain code, which only commands that run a target load. */
  config?: string | false | undefined;
  /** The requested document: any protocol that has it is enough. */
  document?: string | undefined;
  /** Whether the command runs a target, as its configuration says. */
  runs?: boolean;
}

/** Yields the possible protocols: those with the name, or without a name the built-in ones, the configured pack, and the packs in the working folder. The code of a pack that the user did not name is not loaded. */
export async function* availableProtocols(naming: Naming): AsyncGenerator<Protocol> {
  const { named, remembered, document, runs = false } = naming;
  if (named !== undefined) return yield* await resolveProtocols(named, { document });
  const { protocol: configured } = await readConfigFor(naming);
  const codeSource = runs ? "configured" : undefined;
  if (remembered !== undefined)
    return yield* await userProtocols(remembered, isSame(remembered, configured) ? codeSource : undefined, document);
  yield* protocolsNamed("all");
  if (configured !== undefined) yield* await userProtocols(configured, codeSource, document);
  for (const name of readdirSync(".").sort())
    if (existsSync(join(name, profileFile)) && !builtInPacks.some((builtInPack) => builtInPack.name === name))
      yield await withAllRules(readPack(name));
}

/** Reads the configuration; empty if it is broken, or if it is code that this command must not run. */
async function readConfigFor({ config, runs = false }: Naming): Promise<Partial<Config>> {
  const isData = !runs && config === undefined;
  return (await configFor({ ...(config === undefined ? {} : { config }) }, { isData }).catch(() => ({ config: {} })))
    .config;
}

function isSame(path: string, otherPath: string | undefined): boolean {
  return otherPath !== undefined && resolve(path) === resolve(otherPath);
}

/** The protocols of a user's pack, or of the pack made from a document; its code may be loaded if `codeSource` is given. */
async function userProtocols(path: string, codeSource?: CodeSource, document?: string): Promise<Protocol[]> {
  if (isDescription(path)) return codeSource === undefined ? readGenerated(path) : resolveProtocols(path, { document });
  if (!isPackPath(path)) return [];
  const pack = readPack(path);
  return [await withAllRules(codeSource === undefined ? pack : withCode(pack, codeSource))];
}

/** The protocol that was generated from an API description earlier: a command that only reads does not generate one. */
async function readGenerated(document: string): Promise<Protocol[]> {
  const folder = await findGeneratedPack(document);
  return folder === undefined ? [] : [{ ...readPack(folder), called: document }];
}

/** The protocol of a vector or a scenario, by the beginning of its id. Throws a usage error for an unknown one. */
export async function protocolOf(id: string, naming: Naming): Promise<Protocol> {
  const [name = "", version, document] = id.split("/");
  const isUnnamed = naming.named === undefined && naming.remembered === undefined;
  if (isUnnamed && builtInPacks.some((builtInPack) => builtInPack.name === name)) {
    const exact = builtInPacks.find((builtInPack) => builtInPack.name === name && builtInPack.version === version);
    const [namedProtocol] = protocolsNamed(exact === undefined ? name : `${name}@${version}`, "a file");
    return namedProtocol as Protocol;
  }
  for await (const protocol of availableProtocols({ ...naming, document }))
    if (protocol.name === name && (version === undefined || protocol.version === version)) return protocol;
  // A folder may have that name. An id does not name its code, so only its data is read.
  if (isPackPath(name)) return readPack(name);
  const [protocol] = protocolsNamed(name, "a file");
  return protocol as Protocol;
}

async function protocolsAt(path: string | undefined): Promise<Protocol[]> {
  return path !== undefined && existsSync(path) ? userProtocols(path) : [];
}

/** The protocols of a report's runs, if available: a pack is found by the folder that the run was called with. The writer of a report may name any folder, so packs are read as data, and their code is not loaded. */
export async function protocolsIn(reports: readonly Report[]): Promise<Protocol[]> {
  const byVersion = new Map<string, Protocol>();
  for (const { runs, options } of reports)
    for (const { protocol: name, version, options: runOptions } of runs) {
      const path = (runOptions ?? options)?.protocol;
      const key = `${name}@${version}`;
      if (byVersion.has(key)) continue;
      const isBuiltIn = builtInPacks.some((pack) => pack.name === name && pack.version === version);
      const candidates = isBuiltIn ? protocolsNamed(key, "a file") : await protocolsAt(path);
      const exactProtocol = candidates.findLast((protocol) => `${protocol.name}@${protocol.version}` === key);
      if (exactProtocol !== undefined) byVersion.set(key, exactProtocol);
    }
  return [...byVersion.values()];
}
