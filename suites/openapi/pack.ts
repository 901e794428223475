import {
  type Document,
  type Endpoint,
  embeddedSchema,
  isObject,
  type Json,
  type JsonObject,
  pointer,
  type Text,
} from "../../schemas/index.ts";
import { answersOf, credentialsOf } from "./answers.ts";
import { type Bundled, bundle } from "./bundle.ts";
import type { Kind } from "./kind.ts";
import { jsonIn, sent } from "./media.ts";
import { type Operation, operationsOf } from "./operation.ts";
import { exampleOf, parametersOf } from "./parameters.ts";
import { makerOf } from "./samples.ts";
import { below, fault, objectAt, type Place, type Sources } from "./source.ts";
import type { Marks } from "./translate.ts";

/** A document of a pack that is to be written, and its schema. */
export interface PackDocument {
  document: Pick<Document, "name" | "title"> & Partial<Document>;
  schema: JsonObject;
  text: Text;
}

/** What a description gives for a pack. */
export interface PackData {
  documents: PackDocument[];
  rules: JsonObject[];
  notes: string[];
}

/** The bodies, parameters and answers of every operation of an OpenAPI document. Throws a usage error where there is nothing to be made. */
export async function operationsPack(sources: Sources, kind: Kind): Promise<PackData> {
  const data: PackData = { documents: [], rules: [], notes: [] };
  const operations = operationsOf(sources);
  const root: Place = { source: sources.root, at: "" };
  if (operations.length === 0)
    throw fault(below(root, "paths"), "the document has no operations", "add paths with operations to it");
  const without: string[] = [];
  for (const operation of operations) if (!(await add(data, sources, kind, operation))) without.push(operation.name);
  const lacking = without.length === 0 ? [] : [`nothing is sent to ${without.join(", ")}: no JSON body, no parameters`];
  data.notes.push(...lacking);
  if (!data.documents.some(({ document }) => document.role === "entry"))
    throw fault(
      below(root, "paths"),
      "no operation takes a JSON body or parameters",
      "there is nothing that could be wrong",
    );
  return data;
}

async function add(data: PackData, sources: Sources, kind: Kind, operation: Operation): Promise<boolean> {
  const { name, method, path } = operation;
  const parameters = parametersOf(sources, kind, operation);
  const body = bodyOf(sources, kind, operation);
  if (parameters === undefined && body === undefined) return false;
  const take = async (document: PackDocument["document"], { text, marks }: Bundled): Promise<PackDocument> => {
    const { schema, notes } = await embeddedSchema(sources.root.file, text);
    for (const note of notes) if (!data.notes.includes(note)) data.notes.push(note);
    data.rules.push(...markRules(document.name, marks, schema));
    const made = { document, schema, text };
    data.documents.push(made);
    return made;
  };
  const { schemas, ...statuses } = answersOf(sources, kind, operation);
  const described: NonNullable<Endpoint["described"]> = {
    answers: schemas.map(({ status, type, document }) => ({ status, type, document })),
    rule: ruleId(name, "ANSWER"),
    credentials: credentialsOf(sources, operation),
  };
  const title = typeof operation.value.summary === "string" ? operation.value.summary : `${method} ${path}`;
  const endpoint: Endpoint = { ...{ method, path }, ...statuses, described };
  const asks = async (): Promise<{ whole: JsonObject; needed: JsonObject }> => {
    if (parameters === undefined) return { whole: {}, needed: {} };
    const made = await makerOf(await takenSchema(sources, parameters.schema));
    return made.parameters(parameters);
  };
  const { whole, needed } = await asks();
  const written = parameters === undefined ? {} : { parameters: parameters.parameters };
  let sample: Json | undefined;
  if (body !== undefined) {
    const carrier: Endpoint = {
      ...endpoint,
      type: sent(body.type),
      ...written,
      ...(parameters && { given: { parameters: needed } }),
    };
    const made = await take({ name, title, role: "entry", endpoint: carrier }, body.schema);
    const { samples, refused } = (await makerOf(made.schema)).samples(
      body.examples.map(({ place, value }) => ({ place, value: sendable(value, body.schema.marks, made.schema) })),
    );
    for (const example of refused)
      data.notes.push(`${fault(example, "", "").where}: the example is not valid, and is left out`);
    if (samples.length > 0) made.document.samples = samples;
    sample = samples[0] ?? (await makerOf(made.schema)).any();
  }
  if (parameters !== undefined) {
    const carrier: Endpoint = {
      ...endpoint,
      ...(body === undefined || sample === undefined ? {} : { type: sent(body.type), given: { body: sample } }),
      ...{ carries: "parameters", ...written },
    };
    const document = { name: `${name}.parameters`, title: `${title}: parameters`, role: "entry" as const };
    const made = await take({ ...document, endpoint: carrier }, parameters.schema);
    if (Object.keys(whole).length > 0) made.document.samples = [whole];
  }
  for (const { document, schema, status } of schemas)
    await take({ name: document, title: `${title}: ${status}`, role: "emitted", standalone: false }, schema);
  if (schemas.length > 0) data.rules.push(answerRule(ruleId(name, "ANSWER"), operation));
  return true;
}

async function takenSchema(sources: Sources, { text }: Bundled): Promise<JsonObject> {
  return (await embeddedSchema(sources.root.file, text)).schema;
}

interface Body {
  type: string;
  schema: Bundled;
  /** Where examples stand, with their values. */
  examples: { place: Place; value: Json }[];
}

function bodyOf(sources: Sources, kind: Kind, { place }: Operation): Body | undefined {
  const request = objectAt(sources, below(place, "requestBody"));
  const type = jsonIn(request?.value.content);
  if (request === undefined || type === undefined) return undefined;
  const media = objectAt(sources, below(request.place, "content", type));
  if (media?.value.schema === undefined) return undefined;
  const schema = bundle(sources, kind, "request", (write) => write(below(media.place, "schema"), ""));
  return { type, schema, examples: examplesIn(sources, media) };
}

function examplesIn(sources: Sources, { place, value }: { place: Place; value: JsonObject }): Body["examples"] {
  const named = Object.keys(isObject(value.examples) ? value.examples : {}).flatMap((each) => {
    const example = objectAt(sources, below(place, "examples", each));
    const data = example?.value.dataValue ?? example?.value.value;
    return example === undefined || data === undefined ? [] : [{ place: example.place, value: data }];
  });
  if (named.length > 0) return named;
  const schema = objectAt(sources, below(place, "schema"));
  const whole = exampleOf({ ...value, schema: schema?.value ?? {} });
  return whole === undefined
    ? []
    : [{ place: value.example === undefined ? (schema?.place ?? place) : below(place, "example"), value: whole }];
}

/** Ids of rules have letters and digits in parts that begin with a letter. */
function ruleId(name: string, what: string): string {
  const parts = name
    .toUpperCase()
    .replace(/-(?=\d)/g, "")
    .split(/[-.]+/);
  return `${parts.join("-")}-${what}-001`;
}

function answerRule(id: string, { method, path }: Operation): JsonObject {
  const statement = `The body of an answer to ${method} ${path} is what the document says for its status and media type.`;
  return {
    id,
    statement,
    clause: "responses",
    binds: ["server"],
    check: "delivery",
    status: { covered: "the answers to its vectors" },
  };
}

/** Whoever goes by the schemas alone is right as well: to ignore a discriminator is only warned of. */
function markRules(name: string, { discriminated }: Marks, schema: JsonObject): JsonObject[] {
  const places = [...new Set(discriminated)].filter((at) => pointer.has(at, schema));
  if (places.length === 0) return [];
  const statement = `In ${name} the discriminator names the schema that counts.`;
  const sites = places.map((at) => `${name}.schema.json#${at}`);
  const id = ruleId(name, "DISCRIMINATOR");
  return [{ id, statement, level: "SHOULD", clause: "discriminator", binds: ["server"], sites }];
}

/** An example without the members of its own that only the server sends. */
function sendable(value: Json, { hidden }: Marks, schema: JsonObject): Json {
  if (!isObject(value)) return value;
  const root = typeof schema.$ref === "string" ? schema.$ref.slice(1) : "";
  const left = Object.entries(value).filter(([name]) => !hidden.includes(pointer.append(`${root}/properties`, name)));
  return Object.fromEntries(left);
}
