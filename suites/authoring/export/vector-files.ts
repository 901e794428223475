import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesIn, formerIdsFile, type Manifest, sealManifest } from "../../../schemas/index.ts";
import { accompanyingFiles } from "./accompanying-files.ts";
import type { ExportedFile, ExportFormat, ExportSource } from "./format.ts";

/** The published files of the set, byte for byte, with a manifest and the former ids of their vectors. */
export const vectorFiles: ExportFormat = {
  name: "vectors",
  beside: accompanyingFiles,
  summary: "the files of the set itself: plain JSON for a reader in any language",
  files(source) {
    const read = filesIn(source.folder);
    return listedIn(source).files.map(({ path, count }): ExportedFile => {
      return { path, text: read(path).toString("utf8"), vectors: count };
    });
  },
  whole(sources) {
    const [first, ...otherSources] = sources.map(listedIn);
    if (first === undefined) return [];
    const files = [...first.files, ...otherSources.flatMap((each) => each.files)];
    const documents = [...first.documents, ...otherSources.flatMap((each) => each.documents)];
    const count = files.reduce((all, file) => all + file.count, 0);
    const former = Object.assign({}, ...sources.map(aliasesOf));
    const [aliases, text] = formerIdsFile(former);
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
  const all = JSON.parse(filesIn(folder)("aliases.json").toString("utf8")) as Record<string, string>;
  return Object.fromEntries(Object.entries(all).filter(([id]) => id.startsWith(`${name}/${version}/`)));
}

/** The part of the manifest about one protocol. */
function listedIn({ folder, protocol: { name, version } }: ExportSource): Manifest {
  const manifest = JSON.parse(filesIn(folder)("MANIFEST.json").toString("utf8")) as Manifest;
  const isOf = (each: { protocol: string; version: string }): boolean =>
    each.protocol === name && each.version === version;
  return { ...manifest, files: manifest.files.filter(isOf), documents: manifest.documents.filter(isOf) };
}
