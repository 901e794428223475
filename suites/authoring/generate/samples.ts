import { existsSync, readFileSync, statSync } from "node:fs";
import {
  documentName,
  filesBeneath,
  isObject,
  type Json,
  type JsonObject,
  readJson,
  readYaml,
  shownPath,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { refersInPlace } from "../../packs/pack/carried-rules.ts";
import { locateSchemas } from "../../packs/reference/locations.ts";
import { nameFor } from "./name.ts";

/** A message from the user, and its file. */
export interface GivenSample {
  file: string;
  value: Json;
}

/** Samples by the file of their document, and notes on the messages of a folder or an archive. */
export interface GivenSamples {
  samplesByFile: Map<string, GivenSample[]>;
  notes: string[];
}

/** The maximum number of samples of a document from a server's traffic: further ones would add little. */
const maxOfDocument = 5;
const limits = { files: 2000, bytes: 10 * 1024 * 1024 };

/**
 * Reads `FILE` or `DOCUMENT=FILE` as one valid message, and a folder of JSON and YAML files or an HTTP archive (`.har`, HAR 1.2) as the traffic of a
 * server. Each message of the traffic that only one document allows becomes a sample of that document. Throws a usage error for a message without a known document,
 * and for traffic without samples.
 */
export async function readSamples(
  sampleArguments: readonly string[],
  schemas: ReadonlyMap<string, JsonObject>,
  documentFiles: readonly string[],
): Promise<GivenSamples> {
  const names = new Map(
    documentFiles.flatMap((file) => [documentName(file), nameFor(file)].map((name) => [name, file])),
  );
  const samplesByFile = new Map<string, GivenSample[]>();
  const notes: string[] = [];
  const addSamples = (file: string, ...samples: GivenSample[]): void =>
    void samplesByFile.set(file, [...(samplesByFile.get(file) ?? []), ...samples]);
  for (const argument of sampleArguments) {
    const [, document = "", path = argument] = /^([a-z][a-z0-9.-]*)=(.+)$/.exec(argument) ?? [];
    if (!existsSync(path))
      throw new TouchstoneError("usage", `the file "${path}" does not exist`, {
        hint: "give a message (JSON or YAML), a folder of messages, or a .har file",
      });
    if (document === "" && isTraffic(path)) {
      const { samples, note } = await sortSamples(path, await messagesOf(path), schemas, documentFiles);
      for (const [file, trafficSamples] of samples) addSamples(file, ...trafficSamples);
      notes.push(note);
      continue;
    }
    const file = document === "" && documentFiles.length === 1 ? documentFiles[0] : names.get(document);
    if (file === undefined)
      throw new TouchstoneError("usage", `the sample "${argument}" does not name its document`, {
        hint: `write it as DOCUMENT=FILE; there are: ${[...names.keys()].join(", ")}`,
      });
    addSamples(file, { file: shownPath(path), value: await messageIn(path) });
  }
  return { samplesByFile, notes };
}

function isTraffic(path: string): boolean {
  return /\.har$/i.test(path) || statSync(path).isDirectory();
}

async function messageIn(path: string): Promise<Json> {
  const bytes = readFileSync(path);
  const { value } = /\.ya?ml$/i.test(path) ? await readYaml(bytes, shownPath(path)) : readJson(bytes, shownPath(path));
  return value;
}

/** The messages of a folder, in order of path, or of an archive, in its order; files that are not JSON are left out. */
async function messagesOf(path: string): Promise<GivenSample[]> {
  if (!statSync(path).isDirectory())
    return bodiesIn(readJson(readFileSync(path), shownPath(path)).value, shownPath(path));
  const messages: GivenSample[] = [];
  for (const file of await filesBeneath(path, limits)) {
    const value = await messageIn(file).catch(() => undefined);
    if (value !== undefined) messages.push({ file: shownPath(file), value });
  }
  return messages;
}

/** The JSON bodies of requests and answers of an HTTP archive. */
function bodiesIn(archive: Json, file: string): GivenSample[] {
  const log = isObject(archive) && isObject(archive.log) ? archive.log : {};
  if (!Array.isArray(log.entries))
    throw new TouchstoneError("usage", "not an HTTP archive: it has no list log.entries", {
      where: file,
      hint: "save it as HAR 1.2",
    });
  return log.entries.flatMap((entry, index) => {
    const { request, response } = isObject(entry) ? entry : {};
    const parts = [isObject(request) ? request.postData : undefined, isObject(response) ? response.content : undefined];
    return parts.flatMap((part) => {
      const value = isObject(part) ? bodyOf(part) : undefined;
      return value === undefined ? [] : [{ file: `${file}#/log/entries/${index}`, value }];
    });
  });
}

function bodyOf({ text, encoding }: JsonObject): Json | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(encoding === "base64" ? Buffer.from(text, "base64").toString("utf8") : text) as Json;
  } catch {
    return undefined;
  }
}

/** Adds a sample to a document that does not have enough of them. */
function addSample(samples: Map<string, GivenSample[]>, file: string, message: GivenSample): void {
  const existing = samples.get(file) ?? [];
  if (existing.length < maxOfDocument) samples.set(file, [...existing, message]);
}

/** Assigns each message to the only document that allows it. If several do and one refers to the others, as a union of events refers to each event, the message is assigned to all of them. */
async function sortSamples(
  path: string,
  messages: readonly GivenSample[],
  schemas: ReadonlyMap<string, JsonObject>,
  documentFiles: readonly string[],
): Promise<{ samples: Map<string, GivenSample[]>; note: string }> {
  const { compileModel, isValid } = await import("../../../generators/index.ts");
  const schemaList = [...schemas.values()];
  const models = await Promise.all(
    documentFiles.map(async (file) => {
      const id = String(schemas.get(file)?.$id);
      return { file, id, model: await compileModel(schemaList, id) };
    }),
  );
  const locations = locateSchemas(schemaList);
  const areNested = ([firstId = "", ...otherIds]: string[]): boolean =>
    otherIds.every(
      (otherId) => refersInPlace(firstId, otherId, locations) || refersInPlace(otherId, firstId, locations),
    ) &&
    (otherIds.length === 0 || areNested(otherIds));
  const samples = new Map<string, GivenSample[]>();
  const seenTexts = new Set<string>();
  let [ambiguousCount, unmatchedCount] = [0, 0];
  for (const message of messages) {
    const matching = models.filter(({ model }) => isValid(model, message.value));
    if (matching.length === 0) unmatchedCount += 1;
    else if (!areNested(matching.map(({ id }) => id))) ambiguousCount += 1;
    else {
      const text = JSON.stringify(message.value);
      for (const { file } of seenTexts.has(text) ? [] : matching) addSample(samples, file, message);
      seenTexts.add(text);
    }
  }
  const leftOutReasons = [
    ...(unmatchedCount > 0 ? [`${unmatchedCount} fit no document`] : []),
    ...(ambiguousCount > 0 ? [`${ambiguousCount} fit more than one document (name it: --sample DOCUMENT=FILE)`] : []),
  ];
  const leftOutText = leftOutReasons.length === 0 ? "" : `; ${leftOutReasons.join(", ")}`;
  if (samples.size === 0)
    throw new TouchstoneError(
      "usage",
      `it contains no sample: of ${messages.length} JSON messages${leftOutText || ", none"}`,
      {
        where: shownPath(path),
        hint: "give one as DOCUMENT=FILE",
      },
    );
  const keptText = [...samples].map(([file, keptSamples]) => `${keptSamples.length} of ${nameFor(file)}`).join(", ");
  return {
    samples,
    note: `${shownPath(path)}: of ${messages.length} JSON messages these are samples: ${keptText}${leftOutText}; they are now in profile.json: remove secrets from it`,
  };
}
