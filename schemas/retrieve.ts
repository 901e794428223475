import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { TouchstoneError } from "./error.ts";
import { isBeneath, shownPath } from "./files.ts";
import type { Graph, Reference, Resource } from "./graph.ts";
import { nearestName } from "./nearest-name.ts";
import { addressIn, referenceError } from "./references.ts";
import { asUri } from "./uri.ts";

/** The files that references may use even if the user did not name them, and how to load one. */
export interface Reach {
  graph: Graph;
  folders: readonly string[];
  /** Paths of schemas by their own absolute `$id`. */
  named: ReadonlyMap<string, string>;
  take: (path: string) => Promise<Resource>;
}

/**
 * Finds the address of a reference among the files: by its `file:` URL; or by a path that leads from the document's
 * `$id` to the address and from its file to the target; or by the `$id` of a known file. Never uses the network. Returns the error instead of throwing it, since another reference may succeed.
 */
export async function retrieve(
  { graph, folders, named, take }: Reach,
  reference: Reference,
): Promise<true | TouchstoneError> {
  const { url } = addressIn(reference);
  if (graph.resources.has(url.href)) return true;
  const namedPath = named.get(url.href);
  if (namedPath !== undefined) await take(namedPath);
  if (graph.resources.has(url.href)) return true;
  const guess = fileFor(reference, url, graph);
  const path = guess === undefined ? undefined : await realpath(guess).catch(() => undefined);
  if (path === undefined || !(await stat(path)).isFile()) {
    return guess !== undefined && url.protocol === "file:"
      ? missingFileError(reference, guess)
      : unknownAddressError(graph, reference, url, guess);
  }
  const loadedRoot = graph.roots.find(({ document }) => document.path === path);
  if (loadedRoot === undefined && !folders.some((folder) => isBeneath(path, folder))) {
    const hint = `pass it with --ref ${shownPath(path)}`;
    return referenceError(reference, `leads to ${shownPath(path)}, outside of the folders that were given`, hint);
  }
  const resource = loadedRoot ?? (await take(path));
  if (graph.resources.has(url.href)) return true;
  const { document } = resource;
  if (url.protocol !== "file:" && Object.hasOwn(document.schema, document.dialect.id)) {
    const hint = `refer to it as "${resource.id}", or correct its ${document.dialect.id}`;
    return referenceError(reference, `leads nowhere: ${document.file} calls itself ${resource.id}`, hint);
  }
  graph.resources.set(url.href, resource);
  return true;
}

/** Guesses the file of a reference: by its `file:` URL, or by applying the path from the document's `$id` to the address to the document's file. */
export function fileFor({ from }: Reference, url: URL, graph: Graph): string | undefined {
  try {
    const { document } = from;
    const root = graph.roots.find((resource) => resource.document === document) as Resource;
    const { protocol, host, pathname } = new URL(root.href);
    if (protocol !== url.protocol || host !== url.host)
      return url.protocol === "file:" ? fileURLToPath(url) : undefined;
    if (!pathname.startsWith("/") || url.search !== "") return undefined;
    const relativePath = posix.relative(posix.dirname(pathname), url.pathname);
    return resolve(dirname(document.path), decodeURIComponent(relativePath));
  } catch {
    return undefined;
  }
}

async function missingFileError(reference: Reference, path: string): Promise<TouchstoneError> {
  const names = await readdir(dirname(path)).catch(() => []);
  const hint = `${nearestName(basename(path), names)}name a file that is there, or an $id`;
  return referenceError(reference, `leads to ${shownPath(path)}, and there is no such file`, hint);
}

/** The error for an unknown address. Suggests loaded schemas and files beside the possible target. */
async function unknownAddressError(
  graph: Graph,
  reference: Reference,
  url: URL,
  guess: string | undefined,
): Promise<TouchstoneError> {
  const names = guess === undefined ? [] : await readdir(dirname(guess)).catch(() => []);
  const neighbours = names
    .filter((name) => /\.(json|ya?ml)$/i.test(name))
    .map((name) => new URL(asUri(name), url).href);
  const suggestion = nearestName(url.href, [...[...graph.resources.values()].map(({ id }) => id), ...neighbours]);
  const hint = `${suggestion}nothing is read from the network: pass the file that holds it with --ref`;
  return referenceError(reference, `leads to ${url.href}, which is not among the loaded schemas`, hint);
}
