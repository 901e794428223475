import { hash } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import {
  exitCodes,
  kebab,
  originsFile,
  type Protocol,
  parametersEnd,
  readPack,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { isDescription, mentionsNoDescription } from "../../authoring/openapi/description-names.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { renameProgram } from "../../base/text/program.ts";
import { quoteForShell } from "../../base/text/quote.ts";
import { protocolsNamedBy, withAllRules } from "../../packs/pack/load.ts";
import { runGuarded } from "../process/guarded-run.ts";

/** The folder of packs that were generated from API descriptions. */
export const packsFolder = ".touchstone";
/** The time limit for generating a pack, in a separate process: the references of a description can keep it busy for ever. */
const timeLimitSeconds = 300;

/** Formats the note that vectors are missing, with the command that makes all of them: only a complete set is the same on every machine. */
function unfinishedNote(path: string, folder: string): string {
  const command = `touchstone generate ${quoteForShell(path)} --out ${quoteForShell(folder)} --effort 1 --deadline ${timeLimitSeconds * 3}`;
  return `not all vectors were made in ${timeLimitSeconds} seconds, so others may have more; all are made by: ${command}`;
}

/**
 * Returns the name of a protocol unchanged. For an OpenAPI or AsyncAPI document, returns the folder of a pack made from it. The pack is made
 * again if the document has changed. Throws a usage error if it cannot be made.
 */
export async function resolvePack(path: string, { operations, document }: DescriptionPart = {}): Promise<string> {
  if (!isDescription(path)) {
    if (document === undefined) await printNotes(path, operations);
    return path;
  }
  if (mentionsNoDescription(path)) throw await noDescriptionError(path);
  const wholePack = await findGeneratedPack(path);
  const hasOperations =
    wholePack !== undefined && (operations ?? []).every((operation) => hasOperation(wholePack, operation));
  const existingPack = hasOperations ? wholePack : await findPartialPack(path, { operations, document });
  if (existingPack !== undefined) {
    // The notes were printed when the pack was made, and still apply.
    if (document === undefined) await printNotes(existingPack, existingPack === wholePack ? operations : undefined);
    if (document === undefined) await printPlan(existingPack, existingPack === wholePack && operations !== undefined);
    return existingPack;
  }
  const folder = folderFor(path, operations);
  process.stderr.write(`making vectors of ${escapeInvisible(path)}, which are kept in ${escapeInvisible(folder)}\n`);
  const newFolder = `${folder}.${process.pid}`;
  try {
    const only = (operations ?? []).flatMap((operation) => ["--only", operation]);
    const args = ["generate", path, ...only, "--out", newFolder, "--effort", "1"];
    const code = await runGuarded({ seconds: timeLimitSeconds, args, isSilent: true });
    if (code !== 0 && code !== exitCodes.violations)
      throw new TouchstoneError("usage", "no pack was made from the API description", {
        where: path,
        hint: "the faults are listed above",
      });
    if (code !== 0) process.stderr.write(renameProgram(`${unfinishedNote(path, folder)}\n`));
    rmSync(folder, { recursive: true, force: true });
    renameSync(newFolder, folder);
    // The folder must not be committed by accident.
    writeFileSync(join(packsFolder, ".gitignore"), "*\n");
    return folder;
  } finally {
    rmSync(newFolder, { recursive: true, force: true });
  }
}

/** The folder of the pack that was made from a document, if it exists and the document has not changed since. */
export async function findGeneratedPack(path: string): Promise<string | undefined> {
  const { isUpToDate } = await import("../../authoring/openapi/index.ts");
  const folder = folderFor(path);
  return existsSync(folder) && isUpToDate(folder) ? folder : undefined;
}

/** Whether a pack has schemas for an operation. An operation without body and parameters has none. */
function hasOperation(folder: string, name: string): boolean {
  return [name, `${name}${parametersEnd}`].some((each) => existsSync(join(folder, "schemas", `${each}.schema.json`)));
}

function isAbout(note: string, operations: readonly string[] | undefined): boolean {
  const noteWords = note.split(/[\s,:]+/);
  return (
    operations === undefined ||
    /, and \d+ more/.test(note) ||
    operations.some((operation) => noteWords.includes(operation))
  );
}

async function printPlan(folder: string, isPart: boolean): Promise<void> {
  const plan = (await import("../../authoring/openapi/index.ts")).readPlan(folder);
  if (plan === undefined) return;
  const part = isPart ? "what --only names of " : "";
  process.stderr.write(`${escapeInvisible(`plan: ${part}${plan}; the vectors are kept in ${folder}`)}\n`);
}

/** Reports the untested parts of a document's pack, for the named operations or for all. */
async function printNotes(folder: string, operations: readonly string[] | undefined): Promise<void> {
  if (!existsSync(join(folder, originsFile))) return;
  const notes = (await import("../../authoring/openapi/index.ts")).readNotes(folder);
  const relevantNotes = notes.filter((note) => isAbout(note, operations));
  for (const note of relevantNotes) process.stderr.write(`${escapeInvisible(note)}\n`);
}

/** The folder of a pack made from the operations, or of a pack that has the document. */
async function findPartialPack(path: string, { operations, document }: DescriptionPart): Promise<string | undefined> {
  const { isUpToDate } = await import("../../authoring/openapi/index.ts");
  const packFolder = folderFor(path, operations);
  if (operations !== undefined) return existsSync(packFolder) && isUpToDate(packFolder) ? packFolder : undefined;
  if (document === undefined || !existsSync(packsFolder)) return undefined;
  return readdirSync(packsFolder)
    .map((name) => join(packsFolder, name))
    .filter(
      (folder) => folder.startsWith(`${packFolder}-`) && existsSync(join(folder, "schemas", `${document}.schema.json`)),
    )
    .find(isUpToDate);
}

function folderFor(path: string, operations?: readonly string[]): string {
  const stem = kebab(basename(path, extname(path))) || "document";
  const digest = (text: string): string => hash("sha256", text, "hex").slice(0, 8);
  const part = operations === undefined ? "" : `-${digest(operations.join(" "))}`;
  return join(packsFolder, `${stem}-${digest(path)}${part}`);
}

/** The selected part of a description: some operations, or any part that contains a document. */
export interface DescriptionPart {
  operations?: readonly string[] | undefined;
  document?: string | undefined;
}

/** The protocols with a name, folder or document that the command line or the configuration names. Throws a usage error if there are none. A pack made from a document has no code, and no code in its folder is loaded. */
export async function resolveProtocols(path: string, part?: DescriptionPart): Promise<Protocol[]> {
  const folder = await resolvePack(path, part);
  if (folder === path) return protocolsNamedBy(path);
  return [{ ...(await withAllRules(readPack(folder))), called: path }];
}

/** Creates the error for a document that is probably a schema: a pack must be made from it first. */
async function noDescriptionError(path: string): Promise<TouchstoneError> {
  const { nameOfPack } = await import("../../authoring/generate/skeleton.ts");
  return new TouchstoneError("usage", 'not an API description: it has neither "openapi" nor "asyncapi"', {
    where: path,
    hint: `for a JSON Schema, first make vectors, then name their folder instead of the file:
      \`touchstone generate --schema ${quoteForShell(path)}\`
      \`touchstone run ./${nameOfPack(path)} …\``,
  });
}
