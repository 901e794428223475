import { embeddedSchema, isObject, type Json, kebab } from "../../../schemas/index.ts";
import { bundle } from "./bundle.ts";
import type { DescriptionKind } from "./kind.ts";
import { invalidExample } from "./oddities.ts";
import type { PackData } from "./pack-data.ts";
import { makerOf } from "./samples.ts";
import { faultAt, objectAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";

const maxMessages = 2000;
/** Schema formats of 2020-12 and 2019-09. All others are read as draft-07, the dialect of AsyncAPI schemas (3.0, Schema Object). */
const laterFormat = /^application\/schema\+(json|yaml);\s*version=.*20(19-09|20-12)/;
const laterDialect: DescriptionKind = { name: "openapi", version: "3.1" };
/** Media types of the schema formats that are JSON Schema. */
const jsonSchemaFormat = /^application\/(vnd\.aai\.asyncapi|schema)\+(json|yaml)/;

/** Makes the data of a pack from an AsyncAPI document, with a document for the payload of each message. Throws a usage error if there is none. */
export async function messagesPack(sources: Sources, kind: DescriptionKind): Promise<PackData> {
  const data: PackData = {
    documents: [],
    rules: [],
    nulls: [],
    places: new Map(),
    notes: [],
    misread: [],
    oddities: [],
    calls: [],
    servers: [],
    operations: { chosen: 0, all: 0 },
    size: 0,
  };
  const namesWithHeaders: string[] = [];
  const root: SourcePlace = { source: sources.root, at: "" };
  for (const [name, place] of findMessages(sources, root)) {
    const message = objectAt(sources, place);
    const formattedPayload =
      message?.value.payload === undefined ? undefined : payloadOf(sources, placeBelow(message.place, "payload"));
    if (message === undefined || formattedPayload === undefined) {
      data.notes.push(`${faultAt(place, "", "").where}: ${name} is not tested: ${reasonUntested(sources, message)}`);
      continue;
    }
    if (data.documents.length === maxMessages)
      throw faultAt(place, `more than ${maxMessages} messages`, "split the document");
    if (message.value.headers !== undefined) namesWithHeaders.push(name);
    const { payload, format } = formattedPayload;
    const dialect = laterFormat.test(format) ? laterDialect : kind;
    const { text } = bundle(sources, dialect, (write) => write(payload, ""), { view: "response" });
    const { schema, notes, misread } = await embeddedSchema(sources.root.file, text);
    data.notes.push(...notes.filter((note) => !data.notes.includes(note)));
    data.misread.push(...misread);
    const examples = Array.isArray(message.value.examples) ? message.value.examples : [];
    const messageExamples = examples.flatMap((example, index) =>
      isObject(example) && example.payload !== undefined
        ? [{ place: placeBelow(message.place, "examples", index), value: example.payload as Json }]
        : [],
    );
    const noSamples = { samples: [], refused: [] };
    const { samples, refused } =
      messageExamples.length === 0 ? noSamples : await (await makerOf(schema)).samples(messageExamples);
    data.oddities.push(...refused.map(invalidExample));
    const title = typeof message.value.title === "string" ? message.value.title : name;
    data.documents.push({ document: { name, title, ...(samples.length > 0 ? { samples } : {}) }, schema, text });
  }
  if (namesWithHeaders.length > 0)
    data.calls.push(`the headers of ${namesWithHeaders.join(", ")} are not tested: only payloads are`);
  data.operations = { chosen: data.documents.length, all: data.documents.length, noun: "message" };
  if (data.documents.length === 0)
    throw faultAt(root, "the document has no message with a payload", "add messages to its channels or components");
  return data;
}

/** Messages with unique names: first those of `components`, then those that only channels define. */
function* findMessages(sources: Sources, root: SourcePlace): Generator<[string, SourcePlace]> {
  const channels = objectAt(sources, placeBelow(root, "channels"));
  const messageMaps = [placeBelow(root, "components", "messages")];
  for (const name of Object.keys(channels?.value ?? {})) {
    const channel = objectAt(sources, placeBelow((channels as { place: SourcePlace }).place, name));
    if (channel !== undefined) messageMaps.push(placeBelow(channel.place, "messages"));
  }
  const seenPlaces = new Set<string>();
  const names = new Set<string>();
  for (const messageMap of messageMaps) {
    const messages = objectAt(sources, messageMap);
    for (const memberName of Object.keys(messages?.value ?? {})) {
      const place = objectAt(sources, placeBelow((messages as { place: SourcePlace }).place, memberName))
        ?.place as SourcePlace;
      const key = `${place.source.path}#${place.at}`;
      if (seenPlaces.has(key)) continue;
      seenPlaces.add(key);
      const stem = kebab(memberName) || "message";
      let name = stem;
      for (let suffix = 2; names.has(name); suffix += 1) name = `${stem}-${suffix}`;
      names.add(name);
      yield [name, place];
    }
  }
}

function reasonUntested(sources: Sources, message: ReturnType<typeof objectAt>): string {
  const payload =
    message?.value.payload === undefined ? undefined : objectAt(sources, placeBelow(message.place, "payload"));
  const format = payload?.value.schemaFormat;
  return format === undefined
    ? "the message has no payload with a schema"
    : `its payload is described in ${String(format)}; only JSON Schema is supported`;
}

/** The schema of a payload and its format. A payload is either a schema, or an object with a schema and the name of its format. */
function payloadOf(sources: Sources, place: SourcePlace): { payload: SourcePlace; format: string } | undefined {
  const { schemaFormat: format, schema } = objectAt(sources, place)?.value ?? {};
  if (typeof format !== "string" || schema === undefined) return { payload: place, format: "" };
  if (!jsonSchemaFormat.test(format)) return undefined;
  return { payload: placeBelow(objectAt(sources, place)?.place as SourcePlace, "schema"), format };
}
