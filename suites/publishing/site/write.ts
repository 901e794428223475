import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { TouchstoneError } from "../../../schemas/index.ts";
import { writeWhole } from "../../base/process/file-writer.ts";
import { byText } from "./order.ts";
import type { Files } from "./types.ts";

/** The file that lists the site's paths, one per line. The next site removes those that it does not have. */
const listName = "files.txt";

/** A path within a site: relative, with at most four segments. */
const sitePath = /^[a-z0-9~._-]+(?:\/[a-z0-9~._-]+){0,3}$/;

/** Writes a site, and removes outdated files of an earlier one. Other files stay. Throws a usage error for a folder that is not empty and does not contain a site. */
export function writeSite(folder: string, files: Files): void {
  const listPath = join(folder, listName);
  const earlierPaths = existsSync(listPath) ? readFileSync(listPath, "utf8").split("\n").filter(isSitePath) : undefined;
  if (earlierPaths === undefined && existsSync(folder) && readdirSync(folder).length > 0)
    throw new TouchstoneError("usage", "the folder is not empty, and does not contain a site", {
      where: folder,
      hint: "name a new folder, or a folder that report render --site has written",
    });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeWhole(join(folder, path), text);
  }
  for (const path of earlierPaths ?? []) if (!files.has(path)) rmSync(join(folder, path), { force: true });
  writeWhole(listPath, `${[...files.keys()].sort(byText).join("\n")}\n`);
}

function isSitePath(path: string): boolean {
  return sitePath.test(path) && !path.split("/").some((part) => part === "." || part === "..");
}
