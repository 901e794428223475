import { existsSync } from "node:fs";
import { join } from "node:path";
import { calledBy, namesCode, type Protocol, rulesInFiles, TouchstoneError } from "../../../schemas/index.ts";

/** The file that is the entry of a pack's code, if there is one; nothing is loaded of it. */
export function entryOf({ folder }: Pick<Protocol, "folder">): string | undefined {
  const names = ["index.js", "index.mjs", "index.ts", "index.mts"];
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** Whether all of a protocol is at hand: it is ours, it was named so that its code may be loaded, or it has none. */
export function mayLoad(protocol: Pick<Protocol, "folder" | "foreign" | "code" | "extends">): boolean {
  return protocol.foreign !== true || protocol.code !== undefined || !hasCode(protocol);
}

/** Whether a pack or one that it extends has an entry, or a rule of it names a function. */
function hasCode(protocol: Pick<Protocol, "folder" | "foreign" | "extends">): boolean {
  const parent = protocol.extends?.parent;
  if (parent?.foreign === true && hasCode(parent)) return true;
  return entryOf(protocol) !== undefined || rulesInFiles(protocol).some(namesCode);
}

/**
 * Throws a usage error for a pack with code that the user did not name: without its rules a wrong implementation would pass. All code of packs is loaded
 * behind this.
 */
export function mustBeAllowed(protocol: Protocol): void {
  if (mayLoad(protocol)) return;
  throw new TouchstoneError(
    "usage",
    `the code of the pack ${protocol.name} is not loaded, because no option names it`,
    {
      where: protocol.folder,
      hint: `name it if you trust it: --protocol ${calledBy(protocol)}`,
    },
  );
}
