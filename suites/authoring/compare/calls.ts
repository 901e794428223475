import { canonical, type Json, type JsonObject, type Parameter, type Source } from "../../../schemas/index.ts";
import { placeParameters } from "../../targets/http/parameters.ts";
import type { ComparableOperation } from "../openapi/index.ts";
import { type Difference, partyOf, type SchemaPlace } from "./result.ts";

/** The differences that schemas do not show between requests of two versions of an operation: credentials, a required body, and how parameters are serialized. */
export function compareCalls(old: ComparableOperation, next: ComparableOperation): Difference[] {
  return [...compareCredentials(old, next), ...compareBodies(old, next), ...compareSerialization(old, next)];
}

interface CallSide {
  text: string;
  source: Source;
}

function differenceOf(
  change: Difference["change"],
  message: Json,
  at: string,
  [old, next]: readonly [old: CallSide, next: CallSide],
): Difference {
  const [refusingSide, acceptingSide] = change === "refused" ? [next, old] : [old, next];
  return {
    change,
    breaks: partyOf[change],
    message,
    at,
    asserts: refusingSide.text,
    beside: acceptingSide.text,
    old: placeOf(old),
    new: placeOf(next),
    others: [],
    also: [],
  };
}

function placeOf({ source }: CallSide): SchemaPlace {
  return { location: "#", ...source };
}

function compareCredentials(old: ComparableOperation, next: ComparableOperation): Difference[] {
  const [oldSide, newSide] = [old, next].map(({ demanded, source }) => {
    const choices = demanded.map((choice) =>
      choice.map(({ name, scheme, scopes }) => ({ name, kind: kindOf(scheme) ?? name, scopes })),
    );
    return {
      choices: choices.length === 0 ? [[]] : choices,
      text: describeCredentials(choices),
      source: source("security"),
    };
  }) as unknown as [CredentialSide, CredentialSide];
  const findUnserved = (offeringSide: CredentialSide, askingSide: CredentialSide) =>
    offeringSide.choices.find((offer) => !askingSide.choices.some((ask) => serves(offer, ask)));
  return (["refused", "accepted"] as const).flatMap((change) => {
    const offer = change === "refused" ? findUnserved(oldSide, newSide) : findUnserved(newSide, oldSide);
    if (offer === undefined) return [];
    return [differenceOf(change, { ...requestOf(old), credentials: offer.map(formatDemand) }, "", [oldSide, newSide])];
  });
}

type CredentialChoice = { name: string; kind: string; scopes: readonly string[] }[];
interface CredentialSide extends CallSide {
  choices: CredentialChoice[];
}

/** Whether a sender that has the credentials of one choice also has those of another. */
function serves(offer: CredentialChoice, ask: CredentialChoice): boolean {
  return ask.every(({ kind, scopes }) =>
    offer.some(
      (offeredCredential) =>
        offeredCredential.kind === kind && scopes.every((scope) => offeredCredential.scopes.includes(scope)),
    ),
  );
}

/** A key for the kind of credentials, which ignores the name and description of the scheme. */
function kindOf(scheme: JsonObject | undefined): string | undefined {
  if (scheme === undefined) return undefined;
  const { type, in: location, name, scheme: httpScheme, openIdConnectUrl, flows } = scheme;
  const isHeader = location === "header" && typeof name === "string";
  const withoutScopes = (flow: Json): Json =>
    typeof flow === "object" && flow !== null && !Array.isArray(flow) ? { ...flow, scopes: null } : flow;
  return canonical({
    type: type ?? null,
    ...(location === undefined ? {} : { in: location }),
    ...(name === undefined ? {} : { name: isHeader ? name.toLowerCase() : name }),
    ...(typeof httpScheme === "string" ? { scheme: httpScheme.toLowerCase() } : {}),
    ...(openIdConnectUrl === undefined ? {} : { openIdConnectUrl }),
    ...(flows === undefined
      ? {}
      : {
          flows: Object.fromEntries(
            Object.entries(flows as JsonObject).map(([flowName, flow]) => [flowName, withoutScopes(flow)]),
          ),
        }),
  });
}

function formatDemand({ name, scopes }: CredentialChoice[number]): string {
  return scopes.length === 0 ? name : `${name} (${scopes.join(", ")})`;
}

function describeCredentials(choices: readonly CredentialChoice[]): string {
  if (choices.length === 0) return "no credentials";
  return `credentials ${choices.map((choice) => choice.map(formatDemand).join(" and ")).join(", or ")}`;
}

function compareBodies(old: ComparableOperation, next: ComparableOperation): Difference[] {
  const [oldSide, newSide] = [old, next].map(({ body, source }) => ({
    isRequired: body?.isRequired === true,
    text: describeBody(body),
    source: body?.source ?? source(),
  })) as [CallSide & { isRequired: boolean }, CallSide & { isRequired: boolean }];
  if (oldSide.isRequired === newSide.isRequired) return [];
  return [differenceOf(newSide.isRequired ? "refused" : "accepted", requestOf(old), "", [oldSide, newSide])];
}

function describeBody(body: ComparableOperation["body"]): string {
  if (body === undefined) return "no body";
  return body.isRequired ? "a body is required" : "the body may be left out";
}

function requestOf({ operation: { method, path } }: ComparableOperation): JsonObject {
  return { method, path };
}

/** If both versions have a parameter but write it differently, neither reads it as the other intends. */
function compareSerialization(old: ComparableOperation, next: ComparableOperation): Difference[] {
  return old.parameters.parameters.flatMap((oldParameter) => {
    const newParameter = next.parameters.parameters.find(
      (parameter) => parameter.in === oldParameter.in && parameter.name === oldParameter.name,
    );
    const value =
      newParameter &&
      valuesOf(oldParameter, newParameter).find(
        (sample) => textOf(oldParameter, sample) !== textOf(newParameter, sample),
      );
    if (newParameter === undefined || value === undefined) return [];
    const message = { [oldParameter.in]: { [oldParameter.name]: value } };
    const sides = [
      { text: `written as ${textOf(oldParameter, value)}`, source: old.sourceOf(oldParameter) },
      { text: `written as ${textOf(newParameter, value)}`, source: next.sourceOf(newParameter) },
    ] as const;
    const at = `/${oldParameter.in}/${oldParameter.name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return (["refused", "accepted"] as const).map((change) => differenceOf(change, message, at, sides));
  });
}

/** Sample values of the types that both versions allow. */
function valuesOf(oldParameter: Parameter, newParameter: Parameter): Json[] {
  const allowedSamples = [oldParameter, newParameter].map(samplesAllowedBy);
  const types = oldParameter.types ?? newParameter.types;
  const primitive = primitiveOf(types);
  const values: Record<string, Json> = { one: primitive, items: ["a", "b"], members: { a: "b", c: "d" } };
  return Object.keys(values).flatMap((sampleName) =>
    allowedSamples.every((names) => names.includes(sampleName)) ? [values[sampleName] as Json] : [],
  );
}

function samplesAllowedBy({ holds, types }: Parameter): string[] {
  if (holds !== undefined) return [holds];
  return types === undefined ? ["one", "items", "members"] : ["one"];
}

function primitiveOf(types: Parameter["types"]): Json {
  if (types === undefined || types.includes("string")) return "a";
  return types.includes("boolean") ? true : 1;
}

function textOf(parameter: Parameter, value: Json): string {
  const { in: where, name, style, explode } = parameter;
  const serialization: Parameter = { in: where, name, style, explode };
  const { path, query, headers } = placeParameters(
    { method: "GET", path: where === "path" ? `{${name}}` : "", parameters: [serialization], carries: "parameters" },
    { [where]: { [name]: value } },
  );
  if (where === "path") return path;
  return where === "query" ? query : Object.values(headers).join();
}
