import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  digestOf,
  formatAddress,
  type Manifest,
  type Protocol,
  sealManifest,
  TouchstoneError,
  type Vector,
  type VectorKind,
  version,
} from "../../../schemas/index.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import type { FuzzFinding } from "./document.ts";

/** Adds failing messages as vectors to a folder for `run --vectors`, together with the valid messages that they were made from. Throws a usage error if the folder cannot be written. */
export async function saveFindings(
  folder: string,
  protocol: Protocol,
  findings: readonly FuzzFinding[],
  seed: number,
): Promise<string[]> {
  if (findings.length === 0) return [];
  const { writeFiles, print } = await import("../../../generators/index.ts");
  const manifestPath = join(folder, "MANIFEST.json");
  const existingFiles = existsSync(manifestPath) ? loadVectors(protocol, folder).files : [];
  const manifestFiles = existsSync(manifestPath)
    ? (JSON.parse(readFileSync(manifestPath, "utf8")) as Manifest).files
    : [];
  const writtenPaths: string[] = [];
  for (const document of new Set(findings.map((finding) => finding.document))) {
    const savedVectors = existingFiles
      .filter((vectorFile) => vectorFile.document === document.name)
      .flatMap(({ tests }) => tests);
    const findingsOfDocument = findings.filter((finding) => finding.document === document);
    const newVectors = findingsOfDocument.flatMap(({ vector, parent }) =>
      parent === undefined ? [vector] : [parent, vector],
    );
    const allVectors = [...new Map([...savedVectors, ...newVectors].map((vector) => [vector.id, vector])).values()];
    for (const { kind, file: content } of await writeFiles(protocol, document, groupByKind(allVectors), seed)) {
      const path = `${protocol.name}/${protocol.version}/${document.name}/${kind}.json`;
      const text = print(content);
      writeWithFolders(join(folder, path), text);
      writtenPaths.push(join(folder, path));
      const position = manifestFiles.findIndex((file) => file.path === path);
      const { name, version: protocolVersion } = protocol;
      const entry = {
        path,
        protocol: name,
        version: protocolVersion,
        document: document.name,
        kind,
        count: content.count,
      };
      manifestFiles.splice(position === -1 ? manifestFiles.length : position, position === -1 ? 0 : 1, {
        ...entry,
        digest: digestOf(text),
      });
    }
  }
  const manifest = sealManifest({
    $schema: formatAddress("manifest"),
    name: "fuzz",
    version: "1.0.0",
    generator: { name: "touchstone", version, seed },
    digest: "",
    count: manifestFiles.reduce((sum, { count }) => sum + count, 0),
    files: manifestFiles,
    documents: [],
  });
  writeWithFolders(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
  return writtenPaths;
}

/** Groups vectors by the kind in their id. */
function groupByKind(vectors: readonly Vector[]): Partial<Record<VectorKind, Vector[]>> {
  const kinds: Partial<Record<VectorKind, Vector[]>> = {};
  for (const vector of vectors) {
    const kind = vector.id.split("/")[3] as VectorKind;
    kinds[kind] = [...(kinds[kind] ?? []), vector];
  }
  return kinds;
}

/** Writes a file and the folders above it. Throws a usage error if that is not possible. */
export function writeWithFolders(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, text);
  } catch (cause) {
    throw new TouchstoneError("usage", `the folder cannot be written: ${(cause as Error).message}`, {
      where: file,
      hint: "name a different folder with --save",
      cause,
    });
  }
}
