import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { TouchstoneError } from "../../../schemas/index.ts";
import { writeWhole } from "../../base/process/file-writer.ts";
import { byText } from "./order.ts";
import type { Files } from "./types.ts";

/** The list of our files in the folder, one per line, so that the next site removes outdated ones. */
const listing = "files.txt";

/** A path within a site: it cannot lead outside of the folder. */
const ownPath = /^[a-z0-9~._-]+(?:\/[a-z0-9~._-]+){0,3}$/;

/** Writes a site in place of an earlier one. Foreign files stay; a folder with only foreign files is refused as a usage error. */
export function writeSite(folder: string, files: Files): void {
  const list = join(folder, listing);
  const before = existsSync(list) ? readFileSync(list, "utf8").split("\n").filter(isOwn) : undefined;
  if (before === undefined && existsSync(folder) && readdirSync(folder).length > 0)
    throw new TouchstoneError("usage", "the folder is not empty, and does not contain a site", {
      where: folder,
      hint: "name a new folder, or a folder that report render --site has written",
    });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeWhole(join(folder, path), text);
  }
  for (const path of before ?? []) if (!files.has(path)) rmSync(join(folder, path), { force: true });
  writeWhole(list, `${[...files.keys()].sort(byText).join("\n")}\n`);
}

function isOwn(path: string): boolean {
  return ownPath.test(path) && !path.split("/").some((part) => part === "." || part === "..");
}
