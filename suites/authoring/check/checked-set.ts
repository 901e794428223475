import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type CodeSource, faultsIn, filesIn, type Manifest, manifestDigest } from "../../../schemas/index.ts";
import { readTextFile } from "../../base/format/file-text.ts";
import { mustHaveManifest } from "../../packs/corpus/index.ts";
import { checkAliases } from "./aliases.ts";
import { complainAt, type ReadFile, type SetComplaint } from "./complaint.ts";
import { type ListedFile, readListedFile } from "./file.ts";
import { checkLaws, countUnjudged } from "./laws.ts";
import { checkNames } from "./names.ts";
import { findProtocol } from "./protocol.ts";

export type { SetComplaint as Complaint } from "./complaint.ts";

export interface CheckedSet {
  complaints: SetComplaint[];
  files: number;
  vectors: number;
  /** The invalid vectors that declare further broken rules. */
  alsoBreaks: { id: string; rules: string[] }[];
  /** How many vectors break semantic rules that cannot be checked, because a pack's schemas are present but not its checks. */
  unjudged: number;
}

/** Checks a vector set. The code of the pack beside it is loaded only if `codeSource` says who named that pack. Throws a usage error for a folder without a readable manifest. */
export async function checkSet(
  folder: string,
  onProgress: (stage: string, done: number, total: number) => void,
  codeSource?: CodeSource,
): Promise<CheckedSet> {
  const { manifest, file, faults } = await manifestIn(folder);
  if (faults.length > 0) return { complaints: faults, files: 0, vectors: 0, alsoBreaks: [], unjudged: 0 };
  const complaints = checkTotals(manifest, file);
  const listedFiles: ListedFile[] = [];
  const readSetFile = filesIn(folder);
  for (const [index, entry] of manifest.files.entries()) {
    onProgress("reading", index, manifest.files.length);
    const readResult = await readListedFile(folder, readSetFile, entry, complainAt(file, `/files/${index}`, ""));
    complaints.push(...readResult.complaints);
    if (readResult.listed !== undefined) listedFiles.push(readResult.listed);
  }
  complaints.push(...findUnlisted(folder, manifest, file));
  const filesByProtocol = new Map<string, ListedFile[]>();
  for (const listedFile of listedFiles) {
    const key = `${listedFile.content.protocol}/${listedFile.content.version}`;
    filesByProtocol.set(key, [...(filesByProtocol.get(key) ?? []), listedFile]);
  }
  const ids = new Map<string, string>();
  let done = 0;
  let unjudged = 0;
  for (const [key, files] of filesByProtocol) {
    const foundProtocol = await findProtocol(folder, files, codeSource);
    complaints.push(...foundProtocol.complaints, ...checkNames(foundProtocol.protocol, files, ids));
    if (foundProtocol.protocol === undefined) continue;
    unjudged += countUnjudged(foundProtocol, files);
    complaints.push(
      ...(await checkLaws(foundProtocol, files, () => onProgress(`judging ${key}`, ++done, listedFiles.length))),
    );
  }
  complaints.push(...(await checkAliases(folder, new Set(ids.keys()), manifest, file)));
  return {
    complaints,
    files: manifest.files.length,
    vectors: listedFiles.reduce((sum, { content }) => sum + content.tests.length, 0),
    alsoBreaks: listedFiles
      .flatMap(({ content }) => content.tests)
      .flatMap(({ id, alsoBreaks: rules }) => (rules === undefined ? [] : [{ id, rules }])),
    unjudged,
  };
}

async function manifestIn(folder: string): Promise<{ manifest: Manifest; file: ReadFile; faults: SetComplaint[] }> {
  mustHaveManifest(folder);
  const path = join(folder, "MANIFEST.json");
  const file = { file: path, text: await readTextFile(path) };
  const faults = faultsIn("manifest", file.text.value).map(({ at, what, hint }) => complainAt(file, at, what, hint));
  return { manifest: file.text.value as unknown as Manifest, file, faults };
}

function checkTotals(manifest: Manifest, file: ReadFile): SetComplaint[] {
  const { files, digest, count } = manifest;
  const realDigest = manifestDigest(manifest);
  const total = files.reduce((sum, entry) => sum + entry.count, 0);
  return [
    ...(digest === realDigest
      ? []
      : [complainAt(file, "/digest", "it does not match the content of the set", `write ${realDigest}`)]),
    ...(count === total
      ? []
      : [complainAt(file, "/count", `the files listed here have ${total} vectors, not ${count}`, `write ${total}`)]),
  ];
}

/** Vector files that the manifest does not list: no run would read them. */
function findUnlisted(folder: string, { files }: Manifest, file: ReadFile): SetComplaint[] {
  const listedPaths = new Set(files.map(({ path }) => path));
  const topFolders = new Set(files.map(({ path }) => path.split("/")[0] as string));
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => topFolders.has(path.split("/")[0] as string) && path.includes("/") && !listedPaths.has(path))
    .sort()
    .map((path) => complainAt(file, "/files", `${path} is there and not listed`, "list it, or delete it"));
}
