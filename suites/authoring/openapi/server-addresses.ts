import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, parse, sep } from "node:path";
import { isObject, readJson } from "../../../schemas/index.ts";

/**
 * The folder with the files that a document may use: its repository (with `.git`), or else the working folder if that contains the document,
 * or else the document's own folder. A home folder is not a project.
 */
export function projectOf(path: string): string {
  const enclosingFolders = foldersAround(path);
  const repository = enclosingFolders.find(
    (folder) => lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined,
  );
  const workingFolder = realpathSync(process.cwd());
  const isProject = (folder: string): boolean => folder !== parse(folder).root && folder !== realHomeFolder();
  return (
    [repository, enclosingFolders.find((folder) => folder === workingFolder)].find(
      (folder) => folder !== undefined && isProject(folder),
    ) ?? dirname(path)
  );
}

function realHomeFolder(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return homedir();
  }
}

/** The folder of a path, and all folders around it. */
function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === dirname(folder)) return folders;
  }
}

export function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The maximum size of a schema that declares its own address, in bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The file in a project that has an address as its `$id`. The search looks at the path of the address, or an end of that path, in the folders around the
 * referring document. Nothing is read from the network.
 */
export function findByAddress(address: string, referringFile: string, project: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, pathname } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const segments = pathname.split("/").filter((segment) => segment !== "" && segment !== "..");
  for (const folder of foldersAround(referringFile).filter(
    (enclosing) => enclosing === project || isWithin(enclosing, project),
  ))
    for (const index of segments.keys()) {
      const path = join(folder, ...segments.slice(index));
      if (hasAddress(path, address, project)) return realpathSync(path);
    }
  return undefined;
}

function hasAddress(path: string, address: string, project: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > maxBytes || !isWithin(realpathSync(path), project)) return false;
  try {
    const { value } = readJson(readFileSync(path), path);
    return isObject(value) && typeof value.$id === "string" && value.$id.replace(/#$/, "") === address;
  } catch {
    return false;
  }
}
