import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, extname, join, relative, sep } from "node:path";
import { TouchstoneError } from "./error.ts";
import { closestBeside } from "./nearest-name.ts";
import { readJson } from "./text.ts";
import type { Text } from "./text-place.ts";
import { readYaml } from "./yaml.ts";

/** Limits on reading: the number of files, and the bytes of each file. */
export interface ReadLimits {
  files: number;
  bytes: number;
}

/** The maximum depth of a schema: compilers recurse into it. */
const maxDepth = 500;

/** The path for messages: relative to the working directory if it is inside. */
export function shownPath(path: string): string {
  const relativePath = relative(process.cwd(), path);
  return relativePath === "" || relativePath.startsWith("..") ? path : relativePath;
}

export function isBeneath(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** The kind of a path, and its real path. Throws a usage error, with the most similar name, if it does not exist. */
export async function findPath(given: string): Promise<{ path: string; kind: "file" | "folder" }> {
  try {
    const path = await realpath(given);
    const stats = await stat(path);
    if (stats.isDirectory()) return { path, kind: "folder" };
    if (stats.isFile()) return { path, kind: "file" };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw unreadableFile(given, error);
    const nearestFile = closestBeside(given, await readdir(dirname(given)).catch(() => []));
    throw new TouchstoneError("usage", `the file "${given}" does not exist`, {
      hint: `${nearestFile}give the path of a schema`,
    });
  }
  throw new TouchstoneError("usage", `"${given}" is neither a file nor a folder`, {
    hint: "give the path of a schema",
  });
}

/** Reads JSON or YAML: by extension, or by content if the extension is neither. Throws a usage error. */
export async function readText(path: string, limits: ReadLimits): Promise<Text> {
  const file = shownPath(path);
  const bytes = await bytesOf(path, limits);
  const extension = extname(path).toLowerCase();
  const isYaml =
    extension === ".yaml" ||
    extension === ".yml" ||
    (extension !== ".json" && !/^\s*[{[]/.test(bytes.toString("latin1", 0, 4096)));
  return isYaml ? readYaml(bytes, file, { depth: maxDepth }) : readJson(bytes, file, { depth: maxDepth });
}

async function bytesOf(path: string, limits: ReadLimits): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= limits.bytes) return await readFile(path);
  } catch (error) {
    throw unreadableFile(path, error);
  }
  throw new TouchstoneError("usage", `larger than ${limits.bytes} bytes`, {
    where: shownPath(path),
    hint: "split the schema, or leave the file out",
  });
}

function unreadableFile(path: string, cause: unknown): TouchstoneError {
  const why = (cause as Error).message.replace(/, \w+ '.*$/, "");
  return new TouchstoneError("usage", `cannot be read: ${why}`, {
    where: shownPath(path),
    hint: "make it readable, or leave it out",
    cause,
  });
}

/** The JSON and YAML files beneath a folder, sorted by name, except hidden ones and `node_modules`. Symbolic links are not followed. */
export async function filesBeneath(folder: string, limits: ReadLimits): Promise<string[]> {
  const files: string[] = [];
  await visitFolder(folder);
  return files;

  async function visitFolder(path: string): Promise<void> {
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      throw unreadableFile(path, error);
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const childPath = join(path, entry.name);
      if (entry.isDirectory()) await visitFolder(childPath);
      if (!entry.isFile() || !/\.(json|ya?ml)$/i.test(entry.name)) continue;
      if (files.length === limits.files) {
        throw new TouchstoneError("usage", `more than ${limits.files} JSON and YAML files`, {
          where: shownPath(folder),
          hint: "give a smaller folder",
        });
      }
      files.push(childPath);
    }
  }
}
