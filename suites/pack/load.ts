import { extname } from "node:path";
import type { Protocol, RuledProtocol } from "../../schemas/index.ts";
import type { Referenced } from "../reference/start.ts";
import type { Pack } from "./pack.ts";

const loaded = new Map<string, Promise<Pack>>();

/** The code that a protocol's pack brings; nothing is loaded of its parts. */
export function packOf({ name }: Pick<Protocol, "name">): Promise<Pack> {
  const pack = loaded.get(name) ?? builtIn(name);
  loaded.set(name, pack);
  return pack;
}

/** The protocol with the rules that its pack decides beyond the schemas. */
export async function ruled(protocol: Protocol): Promise<RuledProtocol> {
  const { rules, signer } = await packOf(protocol);
  const families = rules === undefined ? [] : (await rules()).families;
  return { ...protocol, families, ...(signer === undefined ? {} : { seal: (await signer()).sign }) };
}

/** The protocol with what its reference implementation needs. */
export async function referenceOf(protocol: Protocol): Promise<Referenced> {
  const { reference } = await packOf(protocol);
  return { protocol: await ruled(protocol), service: (await reference?.())?.service };
}

/** Of each protocol of ours the folder of its name has an entry that is a pack. */
async function builtIn(name: string): Promise<Pack> {
  const entry = new URL(`../protocols/${name}/index${extname(import.meta.url)}`, import.meta.url);
  return ((await import(entry.href)) as { pack: Pack }).pack;
}
