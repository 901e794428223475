import { existsSync } from "node:fs";
import { join } from "node:path";
import { calledBy, namesCode, type Protocol, rulesInFiles, TouchstoneError } from "../../../schemas/index.ts";

/** The entry file of a pack's code, if there is one. Does not load it. */
export function entryOf({ folder }: Pick<Protocol, "folder">): string | undefined {
  const names = ["index.js", "index.mjs", "index.ts", "index.mts"];
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** Whether all parts of a protocol may be used: it is built in, or has no code, or the user named it and so allows its code. */
export function mayLoad(protocol: Pick<Protocol, "folder" | "foreign" | "code" | "extends">): boolean {
  return protocol.foreign !== true || protocol.code !== undefined || !hasCode(protocol);
}

/** Whether a pack, or a pack that it extends, has an entry, or a rule that names a function. */
function hasCode(protocol: Pick<Protocol, "folder" | "foreign" | "extends">): boolean {
  const parent = protocol.extends?.parent;
  if (parent?.foreign === true && hasCode(parent)) return true;
  return entryOf(protocol) !== undefined || rulesInFiles(protocol).some(namesCode);
}

/** Throws a usage error for a pack with code that the user did not name: without its rules a wrong implementation would pass. All loading of pack code goes through this check. */
export function requireAllowedCode(protocol: Protocol): void {
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
