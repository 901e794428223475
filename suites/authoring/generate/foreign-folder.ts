import { existsSync, readdirSync } from "node:fs";
import { profileFile, TouchstoneError } from "../../../schemas/index.ts";

/** Throws a usage error for a folder that contains something other than a pack: a new pack would be mixed with it. */
export function refuseForeignFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder);
  if (names.length === 0 || names.includes(profileFile)) return;
  throw new TouchstoneError("usage", `${folder} contains something other than a pack`, {
    hint: "name another folder with --out",
  });
}
