import { canonical, type Json, type JsonObject, type Parameter, type Source } from "../../../schemas/index.ts";
import { placeParameters } from "../../targets/http/parameters.ts";
import type { ComparableOperation } from "../openapi/index.ts";
import { type Difference, partyOf, type SchemaPlace } from "./result.ts";

/** The differences between requests of two versions of an operation, apart from the schemas: credentials, whether there is a body, how parameters are written. */
export function callDifferences(old: ComparableOperation, next: ComparableOperation): Difference[] {
  return [...credentials(old, next), ...bodies(old, next), ...writeDifferences(old, next)];
}

interface CallSide {
  says: string;
  source: Source;
}

function differenceOf(
  change: Difference["change"],
  message: Json,
  at: string,
  [old, next]: readonly [old: CallSide, young: CallSide],
): Difference {
  const [refuses, other] = change === "refused" ? [next, old] : [old, next];
  return {
    change,
    breaks: partyOf[change],
    message,
    at,
    asserts: refuses.says,
    beside: other.says,
    old: placeOf(old),
    new: placeOf(next),
    others: [],
    also: [],
  };
}

function placeOf({ source }: CallSide): SchemaPlace {
  return { location: "#", ...source };
}

function credentials(old: ComparableOperation, next: ComparableOperation): Difference[] {
  const [before, now] = [old, next].map(({ demanded, source }) => {
    const choices = demanded.map((choice) =>
      choice.map(({ name, scheme, scopes }) => ({ name, kind: kindOf(scheme) ?? name, scopes })),
    );
    return { choices: choices.length === 0 ? [[]] : choices, says: credentialsOf(choices), source: source("security") };
  }) as unknown as [Demanding, Demanding];
  const unservedDemands = (offers: Demanding, asks: Demanding) =>
    offers.choices.find((offer) => !asks.choices.some((ask) => serves(offer, ask)));
  return (["refused", "accepted"] as const).flatMap((change) => {
    const offer = change === "refused" ? unservedDemands(before, now) : unservedDemands(now, before);
    if (offer === undefined) return [];
    return [differenceOf(change, { ...requestOf(old), credentials: offer.map(formatDemand) }, "", [before, now])];
  });
}

type CredentialChoice = { name: string; kind: string; scopes: readonly string[] }[];
interface Demanding extends CallSide {
  choices: CredentialChoice[];
}

/** Whether a sender that has the credentials of one choice also has those of another. */
function serves(offer: CredentialChoice, ask: CredentialChoice): boolean {
  return ask.every(({ kind, scopes }) =>
    offer.some((each) => each.kind === kind && scopes.every((scope) => each.scopes.includes(scope))),
  );
}

/** The kind of credentials, without the scheme's name and description in the document. */
function kindOf(scheme: JsonObject | undefined): string | undefined {
  if (scheme === undefined) return undefined;
  const { type, in: where, name, scheme: used, openIdConnectUrl, flows } = scheme;
  const isHeader = where === "header" && typeof name === "string";
  const urls = (flow: Json): Json =>
    typeof flow === "object" && flow !== null && !Array.isArray(flow) ? { ...flow, scopes: null } : flow;
  return canonical({
    type: type ?? null,
    ...(where === undefined ? {} : { in: where }),
    ...(name === undefined ? {} : { name: isHeader ? name.toLowerCase() : name }),
    ...(typeof used === "string" ? { scheme: used.toLowerCase() } : {}),
    ...(openIdConnectUrl === undefined ? {} : { openIdConnectUrl }),
    ...(flows === undefined
      ? {}
      : { flows: Object.fromEntries(Object.entries(flows as JsonObject).map(([each, flow]) => [each, urls(flow)])) }),
  });
}

function formatDemand({ name, scopes }: CredentialChoice[number]): string {
  return scopes.length === 0 ? name : `${name} (${scopes.join(", ")})`;
}

function credentialsOf(choices: readonly CredentialChoice[]): string {
  if (choices.length === 0) return "no credentials";
  return `credentials ${choices.map((choice) => choice.map(formatDemand).join(" and ")).join(", or ")}`;
}

function bodies(old: ComparableOperation, next: ComparableOperation): Difference[] {
  const [before, now] = [old, next].map(({ body, source }) => ({
    isRequired: body?.isRequired === true,
    says: body === undefined ? "no body" : body.isRequired ? "a body is required" : "the body may be left out",
    source: body?.source ?? source(),
  })) as [CallSide & { isRequired: boolean }, CallSide & { isRequired: boolean }];
  if (before.isRequired === now.isRequired) return [];
  return [differenceOf(now.isRequired ? "refused" : "accepted", requestOf(old), "", [before, now])];
}

function requestOf({ operation: { method, path } }: ComparableOperation): JsonObject {
  return { method, path };
}

/** If both versions have a parameter but write it differently, neither reads it as the other intends. */
function writeDifferences(old: ComparableOperation, next: ComparableOperation): Difference[] {
  return old.parameters.parameters.flatMap((before) => {
    const now = next.parameters.parameters.find(
      (parameter) => parameter.in === before.in && parameter.name === before.name,
    );
    const value = now && valuesOf(before, now).find((each) => textOf(before, each) !== textOf(now, each));
    if (now === undefined || value === undefined) return [];
    const message = { [before.in]: { [before.name]: value } };
    const sides = [
      { says: `written as ${textOf(before, value)}`, source: old.sourceOf(before) },
      { says: `written as ${textOf(now, value)}`, source: next.sourceOf(now) },
    ] as const;
    const at = `/${before.in}/${before.name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return (["refused", "accepted"] as const).map((change) => differenceOf(change, message, at, sides));
  });
}

/** Sample values of the types that both versions allow. */
function valuesOf(before: Parameter, now: Parameter): Json[] {
  const kinds = [before, now].map(({ holds, types }) =>
    holds !== undefined ? [holds] : types === undefined ? ["one", "items", "members"] : ["one"],
  );
  const types = before.types ?? now.types;
  const isText = types === undefined || types.includes("string");
  const one = isText ? "a" : types.includes("boolean") ? true : 1;
  const values: Record<string, Json> = { one, items: ["a", "b"], members: { a: "b", c: "d" } };
  return Object.keys(values).flatMap((kind) =>
    kinds.every((each) => each.includes(kind)) ? [values[kind] as Json] : [],
  );
}

function textOf(parameter: Parameter, value: Json): string {
  const { in: where, name, style, explode } = parameter;
  const serialization: Parameter = { in: where, name, style, explode };
  const { path, query, headers } = placeParameters(
    { method: "GET", path: where === "path" ? `{${name}}` : "", parameters: [serialization], carries: "parameters" },
    { [where]: { [name]: value } },
  );
  return where === "path" ? path : where === "query" ? query : Object.values(headers).join();
}
