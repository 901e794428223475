import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  besideEachOther,
  folderContent,
  type LoadedSchemas,
  type LoadOptions,
  loadSeveral,
  profileFile,
  schemasMeant,
  shownPath,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { declaresDescription } from "../../authoring/openapi/description-names.ts";
import type { Oddity } from "../../authoring/openapi/index.ts";

/** Schemas to lint. */
export interface Lintable extends LoadedSchemas {
  /** Whether its author wrote the part at a location (by default all of it). */
  isWritten?(location: string): boolean;
  /** Oddities in the API description outside of its schemas. */
  oddities?: readonly Oddity[];
}

/** One file of schemas. It is read when needed, because a folder may contain more than fits in memory. */
export interface LintableFile {
  /** Loads the schemas, and reads no further operations of a description once `isOver` says so. Throws a usage error. */
  load(isOver?: () => boolean): Promise<Lintable[]>;
  /** Whether the other files are still linted if this one cannot be read. */
  isOneOfMany: boolean;
}

export interface LintableFiles {
  files: LintableFile[];
  /** Files in folders that are not schemas. */
  others: string[];
  /** Faults of unreadable files in folders. */
  faults: TouchstoneError[];
}

/** Finds the schemas in the named files and folders. An API description counts as a file with the schemas of its operations or messages. */
export async function findLintable(paths: readonly string[], refs: readonly string[]): Promise<LintableFiles> {
  const lintable: LintableFiles = { files: [], others: [], faults: [] };
  const loadOptions = paths.length > 1 ? await besideEachOther(paths) : {};
  for (const path of paths)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) await addFolder(path, refs, lintable);
    else
      lintable.files.push({
        load: (isOver) => loadLintable(path, { refs, ...loadOptions }, isOver),
        isOneOfMany: paths.length > 1,
      });
  return lintable;
}

const packHint = "a pack that extends another has the schemas of its parent: lint the folder of that one";

async function addFolder(folder: string, refs: readonly string[], lintableFiles: LintableFiles): Promise<void> {
  const isPack = existsSync(join(folder, profileFile));
  const { schemas, others, named, faults } = await folderContent(folder).catch((error: unknown) => {
    if (!isPack || !(error instanceof TouchstoneError)) throw error;
    throw new TouchstoneError("usage", error.what, { hint: packHint });
  });
  lintableFiles.faults.push(...faults);
  // The other files of a pack are not meant as schemas.
  for (const path of isPack ? [] : others) if (!declaresDescription(path)) lintableFiles.others.push(shownPath(path));
  const loadOptions = { within: [folder], named };
  for (const path of [...schemas, ...others.filter(declaresDescription)].sort())
    lintableFiles.files.push({
      load: (isOver) => loadLintable(path, { refs, ...loadOptions }, isOver),
      isOneOfMany: true,
    });
}

async function loadLintable(
  path: string,
  loadOptions: Pick<LoadOptions, "refs" | "within" | "named">,
  isOver: (() => boolean) | undefined,
): Promise<Lintable[]> {
  if (declaresDescription(path)) {
    const { packFrom } = await import("../../authoring/openapi/index.ts");
    const { documents, ...about } = await packFrom(path, { isOver });
    return documents.map(({ schema }) => ({ entry: String(schema.$id), schemas: [schema], ...about }));
  }
  return loadSeveral(await schemasMeant(path), { ...loadOptions, upgrade: true, lenient: true });
}
