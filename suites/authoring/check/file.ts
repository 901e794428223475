import { join } from "node:path";
import {
  digestOf,
  type FileReader,
  faultsIn,
  type Manifest,
  readJson,
  TouchstoneError,
  type VectorFile,
} from "../../../schemas/index.ts";
import { complainAt, type ReadFile, type SetComplaint } from "./complaint.ts";

/** A vector file of the set that matches its format. */
export interface ListedFile extends ReadFile {
  entry: Manifest["files"][number];
  content: VectorFile;
}

/** Reads a file in the manifest: it must exist, have the digest of the manifest, and match its format. */
export async function readListedFile(
  folder: string,
  readSetFile: FileReader,
  entry: Manifest["files"][number],
  entryComplaint: SetComplaint,
): Promise<{ complaints: SetComplaint[]; listed?: ListedFile }> {
  const path = join(folder, entry.path);
  const bytes = readIfExists(() => readSetFile(entry.path));
  if (bytes === undefined)
    return {
      complaints: [
        { ...entryComplaint, what: `there is no file ${entry.path}`, hint: "restore it, or remove it from the list" },
      ],
    };
  const digest = digestOf(bytes);
  const complaints: SetComplaint[] =
    digest === entry.digest
      ? []
      : [
          {
            ...entryComplaint,
            what: `the digest of ${entry.path} is ${digest}`,
            hint: "the file was changed: restore it, or write its digest",
          },
        ];
  try {
    const file = { file: path, text: readJson(bytes, path) };
    const faults = faultsIn("vector-file", file.text.value).map(({ at, what, hint }) =>
      complainAt(file, at, what, hint),
    );
    if (faults.length > 0) return { complaints: [...complaints, ...faults] };
    const content = file.text.value as unknown as VectorFile;
    return {
      complaints: [...complaints, ...findMismatches(entry, content, file)],
      listed: { ...file, entry, content },
    };
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    const { where = path, what, hint } = error;
    return { complaints: [...complaints, { where, what, ...(hint === undefined ? {} : { hint }) }] };
  }
}

/** Returns undefined for a missing file. */
function readIfExists(read: () => Buffer): Buffer | undefined {
  try {
    return read();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
}

/** Complains if the head of the file differs from the manifest, or if its count is wrong. */
function findMismatches(entry: ListedFile["entry"], content: VectorFile, file: ReadFile): SetComplaint[] {
  const headComplaints = (["protocol", "version", "document", "count"] as const)
    .filter((name) => content[name] !== entry[name])
    .map((name) =>
      complainAt(file, `/${name}`, `it is ${content[name]}, the manifest says ${entry[name]}`, "make them agree"),
    );
  const { length } = content.tests;
  return length === content.count
    ? headComplaints
    : [
        ...headComplaints,
        complainAt(file, "/count", `it has ${length} tests, not ${content.count}`, `write ${length}`),
      ];
}
