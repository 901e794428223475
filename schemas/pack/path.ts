import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { TouchstoneError } from "../error.ts";
import { shownPath } from "../files.ts";
import { closestBeside } from "../nearest-name.ts";
import { profileFile } from "../packs.ts";

/** Names of files with a pack's scenarios. */
export const scenarioFiles: readonly string[] = ["scenarios.yaml", "scenarios.yml", "scenarios.json"];

/** Whether a string is the path of a pack rather than a name: it has a slash, begins with a dot, or is a folder with a profile. */
export function isPackPath(given: string): boolean {
  return /[/\\]/.test(given) || given.startsWith(".") || existsSync(join(given, profileFile));
}

/** Returns the folder of a pack, given its path or the path of its profile. Throws a usage error if it does not exist. */
export function packFolder(given: string): string {
  const path = resolve(given);
  const folder = basename(path) === profileFile ? dirname(path) : path;
  if (existsSync(join(folder, profileFile))) return folder;
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  throw new TouchstoneError("usage", isFolder ? `the folder has no ${profileFile}` : "there is no such pack", {
    where: given,
    hint: isFolder
      ? profileHint(folder)
      : `${nearPath(given, folder)}a pack is a folder with a ${profileFile}: ${makeHint}`,
  });
}

const makeHint = "`touchstone generate --schema FILE` makes one";

function profileHint(folder: string): string {
  const schema = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((file) =>
    /\.schema\.json$|^schemas[/\\].*\.json$/.test(file),
  );
  const line = `{ "documents": [{ "file": "${(schema ?? "schemas/NAME.schema.json").replaceAll("\\", "/")}" }] }`;
  return `write ${shownPath(join(folder, profileFile))}: ${line}; or ${makeHint}`;
}

function nearPath(given: string, folder: string): string {
  const parentFolder = dirname(folder);
  const packs = (existsSync(parentFolder) ? readdirSync(parentFolder) : []).filter((name) =>
    existsSync(join(parentFolder, name, profileFile)),
  );
  return closestBeside(given, packs);
}

/** The argument that names a protocol on the command line. A user's pack is named by its folder, written so that it cannot be mistaken for a name. */
export function calledBy({
  name,
  folder,
  foreign,
  called,
}: {
  name: string;
  folder: string;
  foreign?: true;
  called?: string;
}): string {
  if (foreign !== true) return name;
  if (called !== undefined) return called;
  const path = shownPath(folder).replaceAll("\\", "/");
  return path.includes("/") || path.startsWith(".") ? path : `./${path}`;
}
