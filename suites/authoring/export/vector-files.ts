import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesIn, formerIdsFile, type Manifest, sealManifest } from "../../../schemas/index.ts";
import { accompanyingFiles } from "./accompanying-files.ts";
import type { ExportedFile, ExportFormat, ExportSource } from "./format.ts";

/** The published files of the set, byte for byte, with a manifest and the former ids of their vectors. */
export const vectorFiles: ExportFormat = {
  name: "vectors",
  accompanyingFiles,
  summary: "the files of the set itself: plain JSON for a reader in any language",
  files(source) {
    const read = filesIn(source.folder);
    return manifestOf(source).files.map(({ path, count }): ExportedFile => {
      return { path, text: read(path).toString("utf8"), vectors: count };
    });
  },
  sharedFiles(sources) {
    const [first, ...otherSources] = sources.map(manifestOf);
    if (first === undefined) return [];
    const files = [...first.files, ...otherSources.flatMap((manifest) => manifest.files)];
    const documents = [...first.documents, ...otherSources.flatMap((manifest) => manifest.documents)];
    const count = files.reduce((total, file) => total + file.count, 0);
    const formerIds = Object.assign({}, ...sources.map(aliasesOf));
    const [aliases, text] = formerIdsFile(formerIds);
    const manifest = sealManifest({
      ...first,
      count,
      ...(first.aliases === undefined ? {} : { aliases }),
      files,
      documents,
    });
    return [
      { path: "MANIFEST.json", text: `${JSON.stringify(manifest, null, 2)}\n`, vectors: 0 },
      { path: aliases.path, text, vectors: 0 },
    ];
  },
};

/** The former ids of one protocol's vectors, each with the present one; empty if the set has no such file. */
function aliasesOf({ folder, protocol: { name, version } }: ExportSource): Record<string, string> {
  if (!existsSync(join(folder, "aliases.json"))) return {};
  const aliases = JSON.parse(filesIn(folder)("aliases.json").toString("utf8")) as Record<string, string>;
  return Object.fromEntries(Object.entries(aliases).filter(([id]) => id.startsWith(`${name}/${version}/`)));
}

/** The part of the manifest about one protocol. */
function manifestOf({ folder, protocol: { name, version } }: ExportSource): Manifest {
  const manifest = JSON.parse(filesIn(folder)("MANIFEST.json").toString("utf8")) as Manifest;
  const isOfProtocol = (entry: { protocol: string; version: string }): boolean =>
    entry.protocol === name && entry.version === version;
  return {
    ...manifest,
    files: manifest.files.filter(isOfProtocol),
    documents: manifest.documents.filter(isOfProtocol),
  };
}
