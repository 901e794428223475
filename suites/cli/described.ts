import { hash } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { exitCodes, kebab, type Protocol, readPack, TouchstoneError } from "../../schemas/index.ts";
import { describesNothing, isDescription } from "../openapi/named.ts";
import { listed, protocolsMeant } from "../pack/load.ts";
import { visible } from "../text/escape.ts";
import { asCalled } from "../text/program.ts";
import { quote } from "../text/quote.ts";
import { guarded } from "./guarded.ts";

/** Where packs are kept that were made of a document without being asked for. */
export const kept = ".touchstone";
/** In a process of its own: what a document refers to can keep it busy for ever. */
const seconds = 300;

/** What is lacking, and how to have it: only then are the vectors the same on every machine. */
function unfinished(named: string, folder: string): string {
  const command = `touchstone generate ${quote(named)} --out ${quote(folder)} --effort 1 --deadline ${seconds * 3}`;
  return `not all vectors were made in ${seconds} seconds, so others may have more; all are made by: ${command}`;
}

/**
 * What is called a protocol; of an OpenAPI or AsyncAPI document the folder of the pack that is made of it, which is made again when the document
 * has changed. Throws a usage error where none can be made.
 */
export async function withPack(named: string): Promise<string> {
  if (!isDescription(named)) return named;
  if (describesNothing(named)) throw await noDescription(named);
  const folder = folderFor(named);
  if ((await packMadeOf(named)) !== undefined) return folder;
  process.stderr.write(`making vectors of ${visible(named)}, which are kept in ${visible(folder)}\n`);
  const fresh = `${folder}.${process.pid}`;
  try {
    const words = ["generate", named, "--out", fresh, "--effort", "1"];
    const code = await guarded({ seconds, words, isSilent: true });
    if (code !== 0 && code !== exitCodes.violations)
      throw new TouchstoneError("usage", "no pack was made of the document", {
        where: named,
        hint: "what is wrong is said above",
      });
    if (code !== 0) process.stderr.write(asCalled(`${unfinished(named, folder)}\n`));
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
    // Whoever commits everything commits nothing of this.
    writeFileSync(join(kept, ".gitignore"), "*\n");
    return folder;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The folder of the pack that was made of a document, if it is there and fits the document as it is today. */
export async function packMadeOf(named: string): Promise<string | undefined> {
  const { isUpToDate } = await import("../openapi/index.ts");
  const folder = folderFor(named);
  return existsSync(folder) && isUpToDate(folder) ? folder : undefined;
}

function folderFor(named: string): string {
  const stem = kebab(basename(named, extname(named))) || "document";
  return join(kept, `${stem}-${hash("sha256", named, "hex").slice(0, 8)}`);
}

/**
 * The protocols of a name, a folder or a document that the command line or the configuration of a run names. Throws a usage error where there are
 * none. A pack that is made of a document has no code, and none that lies in its folder is loaded.
 */
export async function protocolsCalled(named: string): Promise<Protocol[]> {
  const folder = await withPack(named);
  if (folder === named) return protocolsMeant(named);
  return [{ ...(await listed(readPack(folder))), called: named }];
}

/** What was most likely meant: a schema, of which a pack is made first. */
async function noDescription(named: string): Promise<TouchstoneError> {
  const { nameOfPack } = await import("../generate/skeleton.ts");
  return new TouchstoneError("usage", "this describes no interface: it names neither openapi nor asyncapi", {
    where: named,
    hint: `of a JSON Schema vectors are made first, in a folder that is then named in place of the file:
      \`touchstone generate --schema ${quote(named)}\`
      \`touchstone run ./${nameOfPack(named)} …\``,
  });
}
