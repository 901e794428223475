import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Manifest, type Protocol, readPack, TouchstoneError } from "../../schemas/index.ts";
import { vectorsFolder } from "../corpus/index.ts";
import { ruled } from "../pack/load.ts";
import { refuseWrongCases, type SampleFile, withSamples } from "./cases.ts";
import { unusedOf } from "./unused.ts";

type BuildOptions = NonNullable<Parameters<typeof import("../../generators/index.ts").buildSet>[2]>;

export interface Made {
  protocol: Protocol;
  /** Where the vectors are. */
  folder: string;
  manifest: Manifest;
  /** Tools without any valid input: what a server lists is not the work of whoever asks, so that the others are not held up. */
  untestable: { tool: string; why: string }[];
  /** What of the samples is not in the vectors as it was given, and why. */
  unused: string[];
}

/** Makes the vectors of a pack and writes them, in the place of those that are there. Throws a usage error for a pack of which none can be made. */
export async function makeVectors(pack: string, options: BuildOptions, sampleFile?: SampleFile): Promise<Made> {
  const { buildSet } = await import("../../generators/index.ts");
  const protocol = await ruled(readPack(pack));
  await refuseWrongCases(protocol, sampleFile);
  const { texts, manifest } = await buildSet([withSamples(protocol)], undefined, { foreign: true, ...options });
  const empty = withoutValid(manifest);
  const tools = protocol.profile.documents.flatMap(({ name, tool }) => {
    const why = empty.get(name);
    return tool === undefined || why === undefined ? [] : [{ tool: tool.name, why }];
  });
  if (manifest.count === 0 || empty.size > tools.length) {
    const document = protocol.profile.documents.find(({ name, tool }) => tool === undefined && empty.has(name));
    const [first] = empty;
    throw new TouchstoneError("usage", "no valid instance of the schema was found, so nothing could be made", {
      where: document === undefined ? pack : join(pack, document.file),
      hint: (document === undefined ? first?.[1] : empty.get(document.name)) ?? nothing,
    });
  }
  if (manifest.documents.length > 0 && manifest.documents.every(({ sites }) => sites === 0))
    throw new TouchstoneError("usage", "the schema asserts nothing that a message could break", {
      where: pack,
      hint: "name a schema that says something, such as FILE#/definitions/NAME",
    });
  const folder = vectorsFolder(protocol);
  if (existsSync(join(folder, "MANIFEST.json"))) rmSync(folder, { recursive: true });
  write(folder, texts);
  return { protocol, folder, manifest, untestable: tools, unused: await unusedOf(protocol) };
}

const nothing = "nothing that was tried fulfils it";

/** Where the search was ended a reason says so; the others are about a part of the schema alone. */
function reasonIn(unbroken: Manifest["documents"][number]["unbroken"]): string {
  return unbroken.find(({ why }) => why.startsWith("gave up"))?.why ?? nothing;
}

/** Documents of which no valid instance was found, and why. */
function withoutValid({ documents, files }: Manifest): Map<string, string> {
  const empty = documents.filter(
    ({ document }) => !files.some((file) => file.document === document && file.kind === "valid"),
  );
  return new Map(empty.map(({ document, unbroken }) => [document, reasonIn(unbroken)]));
}

/** Writes texts by their paths in a folder. */
export function write(folder: string, texts: ReadonlyMap<string, string>): void {
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Does something after texts were written; when it fails they are gone again, as far as they were not there before. */
export async function orUndone<T>(
  folder: string,
  texts: ReadonlyMap<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const isNew = !existsSync(folder);
  const fresh = [...texts.keys()].filter((path) => !existsSync(join(folder, path)));
  write(folder, texts);
  try {
    return await work();
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true });
    else for (const path of fresh) rmSync(join(folder, path), { force: true });
    throw error;
  }
}
