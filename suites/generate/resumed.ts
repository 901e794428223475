import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { canonical, digestOf, fileDigest, type Json, type Manifest, version } from "../../schemas/index.ts";
import { makeFolder } from "../process/folder.ts";
import { writePlainly } from "../process/written.ts";
import type { Built } from "./rounds.ts";

/** In a pack whose vectors are not all made: of what they are made, and of which documents all are. */
const unfinishedFile = ".unfinished.json";

/** What is there of a command that was stopped. */
interface Before {
  before: Map<string, Built>;
  finished: Set<string>;
}

/** A digest of all that decides what the vectors of a pack are: its files but for the vectors, and the options. */
export function inputsOf(pack: string, options: Readonly<Record<string, Json>>): string {
  const files = readdirSync(pack, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !/^[/\\]?(?:vectors|node_modules|\.|README\.md$)/.test(path.slice(pack.length)))
    .sort()
    .map((path): Json => [path.slice(pack.length), fileDigest(path)]);
  return digestOf(canonical([version, options, files]));
}

/** The vectors that an earlier command made of the same; nothing where it made them of something else, or finished. */
export function resumed(pack: string, folder: string, inputs: string): Before {
  const nothing: Before = { before: new Map(), finished: new Set() };
  try {
    const said = JSON.parse(readFileSync(join(pack, unfinishedFile), "utf8")) as { inputs: string; finished: string[] };
    if (said.inputs !== inputs) return nothing;
    const manifest = JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Manifest;
    const before = new Map<string, Built>();
    for (const document of manifest.documents) {
      const files = manifest.files.filter((file) => file.document === document.document);
      const texts = new Map(files.map(({ path }) => [path, readFileSync(join(folder, path), "utf8")]));
      const isWhole = files.every(({ path, digest }) => digestOf(texts.get(path) as string) === digest);
      if (isWhole) before.set(document.document, { texts, manifest: { ...manifest, files, documents: [document] } });
    }
    return { before, finished: new Set(said.finished.filter((name) => before.has(name))) };
  } catch {
    // Not there, or cut off: all is made again.
    return nothing;
  }
}

/** Says of which documents all vectors are made; with nothing, that those of all are. */
export function noteFinished(pack: string, inputs: string, finished?: ReadonlySet<string>): void {
  const file = join(pack, unfinishedFile);
  if (finished === undefined) rmSync(file, { force: true });
  else writePlainly(file, `${JSON.stringify({ inputs, finished: [...finished].sort() })}\n`);
}

/** Puts vectors in the place of those that are there, all at once: whoever reads them meanwhile sees the old ones or the new ones. */
export function replaceVectors(folder: string, texts: ReadonlyMap<string, string>): void {
  const isThere = existsSync(folder);
  // What else is in it is not ours.
  const isOwn = !isThere || existsSync(join(folder, "MANIFEST.json"));
  const fresh = isOwn ? `${folder}.new` : folder;
  if (isOwn) rmSync(fresh, { recursive: true, force: true });
  for (const [path, text] of texts) {
    makeFolder(dirname(join(fresh, path)));
    writePlainly(join(fresh, path), text);
  }
  if (!isOwn) return;
  const old = `${folder}.old`;
  rmSync(old, { recursive: true, force: true });
  if (isThere) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}
