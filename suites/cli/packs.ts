import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  isPackPath,
  known,
  type Protocol,
  profileFile,
  protocolsNamed,
  type Report,
  readPack,
} from "../../schemas/index.ts";
import { isDescription } from "../openapi/named.ts";
import { listed } from "../pack/load.ts";
import { protocolsCalled } from "./described.ts";
import { configFor } from "./settings.ts";

/**
 * The protocols that may be meant, one after another: those of the name; without one those that come along, the pack of the configuration, and
 * the packs in the working folder.
 */
export async function* atHand(named?: string): AsyncGenerator<Protocol> {
  if (named !== undefined) return yield* await protocolsCalled(named);
  yield* protocolsNamed("all");
  const { config } = await configFor({}).catch(() => ({ config: {} as { protocol?: string } }));
  if (config.protocol !== undefined && isOwn(config.protocol)) yield* await protocolsCalled(config.protocol);
  for (const name of readdirSync(".").sort())
    if (existsSync(join(name, profileFile)) && !known.some((each) => each.name === name))
      yield await listed(readPack(name));
}

/** Whether a pack of somebody's own is named, or a document of which one is made. */
function isOwn(named: string): boolean {
  return isPackPath(named) || isDescription(named);
}

/** The protocol of a vector or a scenario, by the beginning of its id. Throws a usage error for one that there is not. */
export async function protocolOf(id: string, named?: string): Promise<Protocol> {
  const [name = "", version] = id.split("/");
  if (named === undefined && known.some((each) => each.name === name)) {
    const exact = known.find((each) => each.name === name && each.version === version);
    const [found] = protocolsNamed(exact === undefined ? name : `${name}@${version}`);
    return found as Protocol;
  }
  for await (const protocol of atHand(named))
    if (protocol.name === name && (version === undefined || protocol.version === version)) return protocol;
  const [protocol] = protocolsNamed(name);
  return protocol as Protocol;
}

/** The protocols of a report's runs: a pack by the folder that the run was called with, as far as it is there. */
export async function protocolsIn(reports: readonly Report[]): Promise<Protocol[]> {
  const found = new Map<string, Protocol>();
  for (const { runs, options } of reports)
    for (const { protocol: name, version, options: own } of runs) {
      const path = (own ?? options)?.protocol;
      const isKnown = known.some((each) => each.name === name && each.version === version);
      const isThere = path !== undefined && isOwn(path) && existsSync(path);
      const key = `${name}@${version}`;
      if (found.has(key) || !(isKnown || isThere)) continue;
      const meant = await protocolsCalled(isKnown ? key : (path as string));
      for (const protocol of meant) if (`${protocol.name}@${protocol.version}` === key) found.set(key, protocol);
    }
  return [...found.values()];
}
