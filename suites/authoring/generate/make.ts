import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Document,
  type Manifest,
  type Protocol,
  type RuledProtocol,
  readPack,
  type Source,
  TouchstoneError,
  withCode,
} from "../../../schemas/index.ts";
import { writePlainly } from "../../base/process/file-writer.ts";
import { makeFolder } from "../../base/process/folder.ts";
import { vectorsFolder } from "../../packs/corpus/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { refuseWrongCases, type SampleFile, withSamples } from "./cases.ts";
import { chooseVectors, inputsOf, readEarlier, recordGeneration } from "./earlier-vectors.ts";
import { replaceVectors } from "./replaced-vectors.ts";
import { makeInRounds, type RoundOptions, type RoundResult } from "./rounds.ts";
import { describeUnsampled } from "./unsampled-members.ts";
import { findUnused } from "./unused.ts";
import { type RequestedSet, withRequestedSet } from "./wanted-set.ts";

interface MakeOptions extends Omit<RoundOptions, "milliseconds" | "before" | "finished" | "publish"> {
  /** The time limit. */
  milliseconds?: number;
  /** The vectors to make; by default the ones in the profile. */
  set?: RequestedSet;
  /** Called each time the folder of the vectors has more content. */
  onWritten?: (protocol: Protocol, folder: string) => void;
}

export interface MadeVectors {
  protocol: Protocol;
  /** The folder of the vectors. */
  folder: string;
  manifest: Manifest;
  /** Whether an earlier command with the same sources and options had made all of them. */
  isKept: boolean;
  /** Documents that ran out of time. */
  late: string[];
  /** Tools without a valid input. The user did not write the server's list, so work continues with the other tools. */
  untestable: { tool: string; why: string }[];
  /** The samples that the vectors do not contain unchanged, each with the reason. */
  unused: string[];
  /** Which texts in the vectors are invented because no sample shows a value. */
  unsampled: string | undefined;
}

/** The user's files from which a pack is made. Messages name these files, because the pack's own copies may be removed. */
interface GivenFiles {
  sampleFile?: SampleFile;
  source?: (location: string) => Source | undefined;
}

/** Makes the vectors of a pack and replaces the existing ones. Throws a usage error for a pack without any valid vector. */
export async function makeVectors(
  pack: string,
  options: MakeOptions,
  givenFiles: GivenFiles = {},
): Promise<MadeVectors> {
  const fileOf = ({ file, schema }: Document): string => givenFiles.source?.(schema)?.file ?? join(pack, file);
  const protocol = await ruled(withCode(readPack(pack), "given"));
  await refuseWrongCases(protocol, givenFiles.sampleFile);
  const folder = vectorsFolder(protocol);
  const { onWritten, milliseconds = Number.POSITIVE_INFINITY, set, ...buildOptions } = options;
  const { seed = null, effort = null } = buildOptions;
  const inputs = inputsOf(pack, { seed, effort: String(effort), formats: protocol.profile.formats, set: set ?? null });
  const joinParts = await createJoiner(protocol);
  let writtenSet: RoundResult | undefined;
  const write = (newSet: RoundResult): void => {
    if (newSet === writtenSet || newSet.manifest.count === 0) return;
    replaceVectors(folder, newSet.texts);
    writtenSet = newSet;
    onWritten?.(protocol, folder);
  };
  const earlierVectors = readEarlier(pack, folder, inputs);
  const isKept = protocol.profile.documents.every(
    ({ name, standalone }) => !standalone || earlierVectors.finished.has(name),
  );
  const { parts, late, finished } = await makeInRounds(withSet(await withSamples(protocol), set), {
    ...buildOptions,
    milliseconds,
    before: earlierVectors.before,
    finished: earlierVectors.finished,
    publish(partsSoFar, finishedSoFar) {
      const chosen = chooseVectors(partsSoFar, finishedSoFar, earlierVectors);
      write(joinParts(chosen.parts));
      if (writtenSet !== undefined) recordGeneration(pack, { inputs, finished: finishedSoFar, older: chosen.older });
    },
  });
  const chosen = chooseVectors(parts, finished, earlierVectors);
  const result = joinParts(chosen.parts);
  const { manifest } = result;
  const empty = documentsWithoutValid(manifest);
  const tools = protocol.profile.documents.flatMap(({ name, tool }) => {
    const why = empty.get(name);
    return tool === undefined || why === undefined ? [] : [{ tool: tool.name, why }];
  });
  await requireValidVectors({ protocol, manifest, late, empty, tools }, { pack, fileOf });
  write(result);
  if (manifest.count > 0) recordGeneration(pack, { inputs, finished, older: chosen.older });
  return {
    isKept,
    protocol,
    folder,
    manifest,
    late,
    untestable: tools,
    unused: await findUnused(protocol),
    unsampled: describeUnsampled(protocol),
  };
}

/** Returns a function that joins the vectors of the documents. It reuses the last set if no part has changed, since the manifest of a large set costs seconds. */
async function createJoiner({
  profile: { documents },
}: RuledProtocol): Promise<(parts: ReadonlyMap<string, RoundResult>) => RoundResult> {
  const { joined } = await import("../../../generators/index.ts");
  let lastJoin: { parts: RoundResult[]; set: RoundResult } | undefined;
  return (parts) => {
    const currentParts = documents.flatMap(({ name }) => parts.get(name) ?? []);
    const missing = documents.flatMap(({ name, standalone }) => (standalone && !parts.has(name) ? [name] : []));
    const isSame =
      lastJoin?.parts.length === currentParts.length &&
      currentParts.every((part, index) => part === lastJoin?.parts[index]);
    if (lastJoin === undefined || !isSame) lastJoin = { parts: currentParts, set: joined(currentParts, { missing }) };
    return lastJoin.set;
  };
}

/** The protocol with the requested set, or with the one in its profile. */
function withSet(protocol: RuledProtocol, set: RequestedSet | undefined): RuledProtocol {
  const documents = protocol.profile.documents.map((document) => withRequestedSet(document, set));
  return { ...protocol, profile: { ...protocol.profile, documents } };
}

/** A made pack before it is known to be usable. */
interface UncheckedSet extends Pick<MadeVectors, "protocol" | "manifest" | "late"> {
  /** Documents without a valid vector, each with the reason. */
  empty: ReturnType<typeof documentsWithoutValid>;
  /** The tools among them. */
  tools: MadeVectors["untestable"];
}

/** Throws a usage error if a document other than a tool has no valid vector, if nothing has vectors, or if no schema has an assertion to violate. */
async function requireValidVectors(
  { protocol, manifest, late, empty, tools }: UncheckedSet,
  { pack, fileOf }: { pack: string; fileOf: (document: Document) => string },
): Promise<void> {
  const { documents } = protocol.profile;
  // A document that ran out of time may still have valid instances.
  const emptyNames = [...empty.keys()].filter((name) => !late.includes(name));
  const isEmpty = manifest.count === 0 && late.length === 0;
  if (isEmpty || emptyNames.length > tools.length) {
    const document = documents.find(({ name, tool }) => tool === undefined && emptyNames.includes(name));
    const [firstEmpty] = empty;
    throw new TouchstoneError("usage", "no valid instance of the schema was found, so no vectors were made", {
      where: document === undefined ? pack : fileOf(document),
      hint:
        (await describeContradiction(protocol, document)) ??
        (document === undefined ? firstEmpty?.[1] : empty.get(document.name)) ??
        noInstanceFound,
    });
  }
  if (manifest.documents.length > 0 && manifest.documents.every(({ sites }) => sites === 0))
    throw new TouchstoneError("usage", "the schema has no assertion that a message could violate", {
      where: protocol.profile.documents.map(fileOf).join(", "),
      hint: "name a schema with assertions, such as FILE#/definitions/NAME",
    });
}

const noInstanceFound = "none of the tried instances fulfils it";
const allDisputed =
  "validators disagree about every message that was tried: one of them accepts it, and the other refuses it";

/** Returns the reason why the search was stopped, or else a general one. The other reasons concern only a part of the schema. */
function stopReasonIn(unbroken: Manifest["documents"][number]["unbroken"]): string {
  return unbroken.find(({ kind }) => kind === "gave-up")?.why ?? noInstanceFound;
}

/** Explains why no value satisfies the schema of a document; undefined if this is not proven. */
async function describeContradiction(
  { schemas }: Protocol,
  document: Document | undefined,
): Promise<string | undefined> {
  if (document === undefined) return undefined;
  const { compileModel, qualifyProof, explainContradiction } = await import("../../../generators/index.ts");
  const why = explainContradiction(await compileModel(schemas, document.schema));
  return why === undefined ? undefined : `no instance is valid${qualifyProof(schemas, why)}`;
}

/** Documents without a valid instance, each with the reason. */
function documentsWithoutValid({ documents, files }: Manifest): Map<string, string> {
  const empty = documents.filter(
    ({ document }) => !files.some((file) => file.document === document && file.kind === "valid"),
  );
  const isDisputed = (document: string): boolean =>
    files.some((file) => file.document === document && file.kind === "disputed");
  return new Map(
    empty.map(({ document, unbroken }) => [document, isDisputed(document) ? allDisputed : stopReasonIn(unbroken)]),
  );
}

/** Writes texts by their paths in a folder. */
export function writeTexts(folder: string, texts: ReadonlyMap<string, string>): void {
  for (const [path, text] of texts) {
    makeFolder(dirname(join(folder, path)));
    writePlainly(join(folder, path), text);
  }
}

/** Writes texts and performs an action. If the action fails, the files that did not exist before are removed. */
export async function doOrUndo<T>(
  folder: string,
  texts: ReadonlyMap<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const isNew = !existsSync(folder);
  const newPaths = [...texts.keys()].filter((path) => !existsSync(join(folder, path)));
  writeTexts(folder, texts);
  try {
    return await work();
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true });
    else for (const path of newPaths) rmSync(join(folder, path), { force: true });
    throw error;
  }
}
