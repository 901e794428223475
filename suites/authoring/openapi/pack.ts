import {
  type Endpoint,
  embeddedSchema,
  type Freshness,
  isObject,
  type Json,
  type JsonObject,
  parametersEnd,
  pointer,
} from "../../../schemas/index.ts";
import { answersOf } from "./answers.ts";
import { bodyOf, type OperationBody, otherBodyOf, withoutReadOnly } from "./body.ts";
import { keyMembersIn } from "./body-keys.ts";
import type { Bundled } from "./bundle.ts";
import { chooseOperations } from "./chosen-operations.ts";
import type { DescriptionKind } from "./kind.ts";
import { sentType } from "./media.ts";
import { nullableRule, withoutNulls } from "./nulls.ts";
import { findOddities, invalidExample } from "./oddities.ts";
import { type Operation, operationsOf, otherMethodsIn, type Unread } from "./operation.ts";
import type { PackData, PackDocument } from "./pack-data.ts";
import { describeFraming, noParameters, type Parameters, parametersOf } from "./parameters.ts";
import { reuseOf, untestedMember } from "./reuse.ts";
import { answerRule, headerRule, markRules, reuseRule, ruleId, securityRule, statusRule } from "./rules.ts";
import { makerOf } from "./samples.ts";
import { credentialPlacesOf, credentialsOf, describeSchemes, securityRequirementsOf } from "./security.ts";
import { serversOf } from "./servers.ts";
import { faultAt, placeBelow, type SourcePlace, type Sources } from "./source.ts";
import { describeLaxNumbers, describeOtherTypes, findUnmade, findUnwritten } from "./unmade-values.ts";
import { addOrRollBack, describeUnread, firstNames, groupCalls } from "./unread-operations.ts";

/** Makes the data of a pack from the bodies, parameters and answers of every operation of an OpenAPI document. Throws a usage error if nothing can be made. */
export async function operationsPack(
  sources: Sources,
  kind: DescriptionKind,
  { only, isOver }: { only?: readonly string[] | undefined; isOver?: (() => boolean) | undefined } = {},
): Promise<PackData> {
  const unread: Unread[] = [];
  const allOperations = operationsOf(sources, [], unread);
  const operations = chooseOperations(allOperations, only);
  const data = emptyPack(sources, { chosen: operations.length, all: allOperations.length });
  const root: SourcePlace = { source: sources.root, at: "" };
  if (allOperations.length === 0)
    throw (
      unread[0]?.error ??
      faultAt(
        placeBelow(root, "paths"),
        ["the document has no operations", ...describeUnsent(sources, [])].join("; "),
        "add paths with operations to it",
      )
    );
  const unsentNames: string[] = [];
  const lateNames: string[] = [];
  for (const operation of sortDeletionsLast(operations)) {
    if (isFull(data, isOver)) lateNames.push(operation.name);
    else if (
      !(await addOrRollBack(
        data,
        unread,
        () => addOperation(data, sources, { kind, operation, isNamed: only !== undefined }),
        operation.name,
      ))
    )
      unsentNames.push(operation.name);
  }
  data.operations.chosen -= lateNames.length;
  if (lateNames.length > 0) data.operations.late = lateNames.length;
  const unsentNotes =
    unsentNames.length === 0
      ? []
      : [
          `nothing is sent to ${unsentNames.join(", ")}: no JSON body, no parameters; such operations are called only if they read, or if --only names them`,
        ];
  data.calls.push(...unsentNotes, ...describeLate(lateNames, operations.length), ...unread.map(describeUnread));
  data.calls.splice(0, data.calls.length, ...groupCalls(data.calls));
  data.notes.push(
    ...describeUnsent(sources, operations),
    ...findUnwritten(data),
    ...describeFraming(operations),
    ...describeLaxNumbers(data),
    ...describeOtherTypes(data),
  );
  if (data.nulls.length > 0) data.rules.push(nullableRule(data.nulls));
  requireRequests(data, sources, unread);
  return data;
}

/** Throws a usage error if nothing is ever sent. */
function requireRequests(data: PackData, sources: Sources, unread: readonly Unread[]): void {
  if (!data.documents.some(({ document }) => document.role === "entry"))
    throw (
      unread[0]?.error ??
      faultAt(
        placeBelow({ source: sources.root, at: "" }, "paths"),
        "no operation has a JSON body or parameters, and none can be called without them",
        ["add one, or name an operation without them with --only", ...data.calls].join("; "),
      )
    );
}

function emptyPack(sources: Sources, operations: PackData["operations"]): PackData {
  return {
    documents: [],
    rules: [],
    nulls: [],
    places: new Map(),
    notes: [],
    misread: [],
    oddities: findOddities(sources),
    calls: [],
    servers: serversOf(sources),
    operations,
    size: 0,
  };
}

/** The maximum number of characters of a pack's schemas: the process that makes vectors must hold them in memory. */
const maxCharacters = 160 * 1024 * 1024;

/** Whether to stop reading operations: some have been read, and the pack is large enough or the time is over. */
function isFull({ documents, size }: PackData, isOver: (() => boolean) | undefined): boolean {
  return documents.some(({ document }) => document.role === "entry") && (size > maxCharacters || isOver?.() === true);
}

function describeLate(late: readonly string[], total: number): string[] {
  if (late.length === 0) return [];
  return [
    `${late.length} of ${total} operations are left out, since they are too large to be read at once: ${firstNames(late)}; name some with --only, or give a longer --deadline`,
  ];
}

/** Deletions come last, and deletions of a part come before deletions of the whole: otherwise other operations would find nothing. */
function sortDeletionsLast(operations: readonly Operation[]): Operation[] {
  const rank = ({ method, path }: Operation): number => (method === "DELETE" ? 1 / path.split("/").length : 0);
  return operations.toSorted((a, b) => rank(a) - rank(b));
}

/** Describes the messages that a server sends by itself, which cannot be requested. */
function describeUnsent(sources: Sources, operations: readonly Operation[]): string[] {
  const callbacks = operations.filter(({ value }) => isObject(value.callbacks)).map(({ name }) => name);
  const webhookMap = pointer.at("/webhooks", sources.root.text.value);
  const webhooks = isObject(webhookMap) ? Object.keys(webhookMap) : [];
  const otherMethods = otherMethodsIn(sources);
  return [
    ...(callbacks.length === 0 ? [] : [`the callbacks of ${callbacks.join(", ")} are not tested`]),
    ...(otherMethods.length === 0
      ? []
      : [`nothing is sent to ${otherMethods.join(", ")}: requests of these methods are not made`]),
    ...(webhooks.length === 0 ? [] : [`webhooks are not tested: ${webhooks.join(", ")}`]),
  ];
}

/** An operation that is being added to a pack. */
interface AddedOperation {
  data: PackData;
  sources: Sources;
  operation: Operation;
  title: string;
  /** The common part of the operation's documents. */
  endpoint: Endpoint;
}

/** An operation to be added. */
interface ChosenOperation {
  kind: DescriptionKind;
  operation: Operation;
  /** Whether `--only` names it. */
  isNamed: boolean;
}

/** Adds the documents and rules of an operation to a pack. Returns whether anything is sent to it. */
async function addOperation(
  data: PackData,
  sources: Sources,
  { kind, operation, isNamed }: ChosenOperation,
): Promise<boolean> {
  const { name, method, path, value } = operation;
  const { notes, isUncallable } = findUnmade(operation);
  data.calls.push(...notes);
  if (isUncallable) return true;
  const body = bodyOf(sources, kind, operation);
  const otherBody = body === undefined ? otherBodyOf(sources, operation) : undefined;
  if (otherBody?.isRequired === true) {
    data.calls.push(`nothing is sent to ${name}: its body is ${otherBody.types}, and only JSON with a schema is made`);
    return true;
  }
  const parameters =
    parametersOf(sources, kind, operation) ??
    (isCallable(operation, isNamed) ? noParameters(sources, kind, operation) : undefined);
  if (parameters === undefined && body === undefined) return false;
  if (otherBody !== undefined)
    data.calls.push(`${name} is never sent a body: that is ${otherBody.types}, and only JSON with a schema is made`);
  const { schemas, headers, named, unjudged, unread: _, ...statuses } = answersOf(sources, kind, operation);
  data.calls.push(...unjudged);
  const rule = ruleId(data, name, "ANSWER");
  const places = credentialPlacesOf(sources, operation);
  const demanded = places === undefined ? securityRequirementsOf(sources, operation) : [];
  if (demanded.length > 0)
    data.calls.push(
      `whether ${name} refuses requests without credentials is not tested: ${describeSchemes(demanded)} cannot be left out here`,
    );
  const { reuse, untested } = body === undefined ? {} : reuseOf(sources, operation, parameters ?? {});
  if (untested !== undefined) data.calls.push(untested);
  const described: NonNullable<Endpoint["described"]> = {
    answers: schemas.map(withoutSchema),
    rule,
    credentials: credentialsOf(sources, operation),
    ...(places === undefined ? {} : { security: { rule: ruleId(data, name, "SECURITY"), ...places } }),
    ...(reuse === undefined ? {} : { reuse: { rule: ruleId(data, name, "REUSE"), ...reuse } }),
    ...(named.length === 0 ? {} : { statuses: { rule: ruleId(data, name, "STATUS"), named } }),
    ...(headers.length === 0
      ? {}
      : { headers: { rule: ruleId(data, name, "HEADER"), answers: headers.map(withoutSchema) } }),
  };
  const title = typeof value.summary === "string" && value.summary !== "" ? value.summary : `${method} ${path}`;
  const sentParameters = parameters === undefined ? {} : { parameters: parameters.parameters };
  const endpoint: Endpoint = { method, path, ...statuses, ...sentParameters, described };
  const added: AddedOperation = { data, sources, operation, title, endpoint };
  await addRequests(added, { parameters, body });
  const emittedParts = [...schemas, ...headers.map((header) => ({ ...header, status: `headers of ${header.status}` }))];
  for (const { document, schema, status } of emittedParts)
    data.documents.push(
      await makeDocument(
        added,
        { name: document, title: `${title}: ${status}`, role: "emitted", standalone: false },
        schema,
      ),
    );
  addRules(data, operation, { described, isAnswered: schemas.length > 0 });
  return true;
}

function withoutSchema<T extends { schema: Bundled }>({ schema: _, ...members }: T): Omit<T, "schema"> {
  return members;
}

/** Adds the documents for the parts of a request: the body, and the parameters. */
async function addRequests(
  added: AddedOperation,
  { parameters, body }: { parameters: Parameters | undefined; body: ReturnType<typeof bodyOf> },
): Promise<void> {
  const { data, endpoint } = added;
  const parameterDocument = parameters && (await addParameterDocument(added, parameters));
  const sample = body && (await addBody(added, body, parameterDocument));
  if (parameterDocument !== undefined) {
    const fixedParts =
      body === undefined || sample === undefined ? {} : { type: sentType(body.type), given: { body: sample } };
    parameterDocument.made.document.endpoint = { ...endpoint, ...fixedParts, carries: "parameters" };
    data.documents.push(parameterDocument.made);
  }
}

/** Adds the rules of an operation, with the places from which they come. */
function addRules(
  data: PackData,
  operation: Operation,
  { described, isAnswered }: { described: NonNullable<Endpoint["described"]>; isAnswered: boolean },
): void {
  const { rule } = described;
  const responses = placeBelow(operation.place, "responses");
  for (const id of [rule, described.headers?.rule, described.statuses?.rule, described.reuse?.rule])
    if (id !== undefined) data.places.set(id, responses);
  if (described.security !== undefined)
    data.places.set(described.security.rule, placeBelow(operation.place, "security"));
  if (isAnswered) data.rules.push(answerRule(rule, operation));
  if (described.security !== undefined) data.rules.push(securityRule(described.security.rule, operation));
  if (described.reuse !== undefined) data.rules.push(reuseRule(described.reuse.rule, operation));
  if (described.headers !== undefined) data.rules.push(headerRule(described.headers.rule, operation));
  if (described.statuses !== undefined) data.rules.push(statusRule(described.statuses.rule, operation));
}

/** Whether to call an operation without parameters and body: it only reads, or the user named it. */
function isCallable({ method, path, value }: Operation, isNamed: boolean): boolean {
  const isRead = ["GET", "HEAD", "OPTIONS"].includes(method);
  return (isRead || isNamed) && value.requestBody === undefined && !path.includes("{");
}

async function makeDocument(
  { data, sources }: AddedOperation,
  document: PackDocument["document"],
  { text, marks }: Bundled,
): Promise<PackDocument> {
  const { schema, notes, misread } = await embeddedSchema(sources.root.file, text);
  data.size += JSON.stringify(schema).length;
  for (const note of notes) if (!data.notes.includes(note)) data.notes.push(note);
  data.misread.push(...misread);
  if (document.role === "entry") data.nulls.push(...withoutNulls(document.name, marks, schema));
  data.rules.push(...markRules(data, document.name, marks, schema));
  return { document, schema, text };
}

/** Makes the document of the parameters, with values for the required ones. */
async function addParameterDocument(
  added: AddedOperation,
  parameters: Parameters,
): Promise<{ made: PackDocument; needed: JsonObject }> {
  const { operation, title } = added;
  const document: PackDocument["document"] = {
    name: `${operation.name}${parametersEnd}`,
    title: `${title}: parameters`,
    role: "entry",
  };
  const made = await makeDocument(added, document, parameters.schema);
  const hasNoValues = parameters.required.size === 0 && Object.keys(parameters.given).length === 0;
  if (hasNoValues) return { made, needed: {} };
  const { values, requiredValues, refused } = (await makerOf(made.schema)).parameters(parameters);
  added.data.oddities.push(...refused.map(invalidExample));
  if (Object.keys(values).length > 0) document.samples = [values];
  return { made, needed: requiredValues };
}

/** A sample of the keys that are generated later. */
const anyUuid = "f81d4fae-7dec-41d0-a765-00a0c91e6bf6";

/** Adds the document of a body, and returns a body for requests that test something else. */
async function addBody(
  added: AddedOperation,
  { type, optional, schema, examples }: OperationBody,
  parameterDocument: { needed: JsonObject } | undefined,
): Promise<Json | undefined> {
  const { data, operation, title, endpoint } = added;
  const fixedParts = parameterDocument === undefined ? {} : { given: { parameters: parameterDocument.needed } };
  const document: PackDocument["document"] = { name: operation.name, title, role: "entry" };
  document.endpoint = { ...endpoint, type: sentType(type), ...(optional ? { optional } : {}), ...fixedParts };
  const bodyDocument = await makeDocument(added, document, schema);
  data.documents.push(bodyDocument);
  const keyMembers = keyMembersIn(bodyDocument.schema);
  if (examples.length === 0 && parameterDocument === undefined && keyMembers.length === 0) return undefined;
  const maker = await makerOf(bodyDocument.schema);
  const freshKeys = keyMembers.filter((name) => maker.allowsText(name, anyUuid));
  for (const key of freshKeys) {
    const untested = untestedMember(added.sources, operation, key);
    if (untested !== undefined) data.calls.push(untested);
  }
  if (freshKeys.length > 0)
    document.fresh = freshKeys.map((name): Freshness => ({ at: pointer.append("", name), make: "uuid" }));
  const { samples, refused } = await maker.samples(
    examples.map(({ place, value }) => ({ place, value: withoutReadOnly(value, schema.marks, bodyDocument.schema) })),
  );
  data.oddities.push(...refused.map(invalidExample));
  if (samples.length > 0) document.samples = samples;
  return samples[0] ?? maker.any();
}
