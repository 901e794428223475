import { hash } from "node:crypto";
import {
  type Document,
  type Endpoint,
  isObject,
  type Json,
  type JsonObject,
  type Parameter,
  type Protocol,
  pointer,
  type Question,
  setMember,
} from "../../../schemas/index.ts";
import type { Request } from "../../base/http/send.ts";
import { makeFreshValue } from "./fresh-values.ts";
import { placeParameters, skipUnwritable } from "./parameters.ts";

/** Values that identify one request, such as an `Idempotency-Key`. They are fresh for each different request, and the same for a repetition, which servers answer like the first request. */
export interface Keys {
  /** The parameters of a request with its keys, and the undescribed headers that are configured as keys. A key that the vector is about is not changed. An optional key is sent with about half of the bodies, because a server may check bodies only with a key, or only without one. `attempt` numbers different requests for one question. */
  of(
    question: Question,
    route: Endpoint,
    body: Request["body"],
    attempt: number,
  ): { values: Json | undefined; headers: Record<string, string> };
}

/** Sets a fresh value at a place among parameters; returns undefined if no value is found. */
type KeyMaker = (values: JsonObject, at: string, freshKey: string, seed: number) => JsonObject | undefined;

const maxMessages = 100;
const maxAttempts = 8;

/** Creates fresh keys for the parameters that are described as keys, and for the parameters and headers in `names`. Undefined if there are none. `salt` differs for each run. */
export async function keysOf(protocol: Protocol, names: readonly string[], salt: string): Promise<Keys | undefined> {
  const keyNames = new Set(names.map((name) => name.toLowerCase()));
  const keysIn = ({ parameters = [] }: Endpoint): Parameter[] =>
    parameters.filter(({ in: where, name, key }) => where !== "path" && (key || keyNames.has(name.toLowerCase())));
  const { documents } = protocol.profile;
  const makers = new Map<string, KeyMaker>();
  for (const { name, endpoint } of documents) {
    const parametersDocument =
      endpoint === undefined || keysIn(endpoint).length === 0 ? undefined : ownerOf(endpoint, documents);
    if (endpoint !== undefined && parametersDocument !== undefined)
      makers.set(name, await makerOf(protocol, parametersDocument, endpoint));
  }
  if (makers.size === 0 && keyNames.size === 0) return undefined;
  const newKey = (
    purpose: string,
    route: Endpoint,
    { values, body, attempt }: { values: Json | undefined; body: Request["body"]; attempt: number },
  ): string => {
    const { path, query, headers } = placeParameters(route, values);
    const request = [route.method, path, query, headers, hash("sha256", body ?? "")];
    return makeFreshValue({ at: JSON.stringify([salt, purpose, attempt, request]), make: "uuid" }, 0, 0) as string;
  };
  const valuesOf = (question: Question, route: Endpoint, body: Request["body"], attempt: number): Json | undefined => {
    const isParameters = route.carries === "parameters";
    const values = isParameters ? question.data : route.given?.parameters;
    const maker = makers.get(question.document.name);
    if (maker === undefined || (values !== undefined && !isObject(values))) return values;
    const keys = keysIn(route);
    const withoutKeys = keys.reduce(
      (remaining, { in: where, name }) => withoutName(remaining, where, name),
      values ?? {},
    );
    return keys.reduce((withFreshKeys, { in: where, name }) => {
      const at = pointer.append(`/${where}`, name);
      const isAbsent = pointer.at(at, withFreshKeys) === undefined;
      const isKept = isParameters && (isAbsent || question.keep.some((keptPlace) => pointer.areRelated(keptPlace, at)));
      if (isKept || (isAbsent && !isOdd(body))) return withFreshKeys;
      const made = newKey(at, route, { values: withoutKeys, body, attempt });
      return maker(withFreshKeys, at, made, Number.parseInt(made.slice(0, 8), 16)) ?? withFreshKeys;
    }, values ?? {});
  };
  return {
    of(question, route, body, attempt) {
      const described = new Set((route.parameters ?? []).map(({ name }) => name.toLowerCase()));
      const otherNames = readMethods.has(route.method) ? [] : [...keyNames].filter((name) => !described.has(name));
      return {
        values: valuesOf(question, route, body, attempt),
        headers: Object.fromEntries(
          otherNames.map((name) => [name, newKey(name, route, { values: route.given?.parameters, body, attempt })]),
        ),
      };
    },
  };
}

const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Finds the document with the schema of the operation's parameters. */
function ownerOf(endpoint: Endpoint, documents: readonly Document[]): Document | undefined {
  return documents.find(
    ({ endpoint: other }) =>
      other?.carries === "parameters" && other.method === endpoint.method && other.path === endpoint.path,
  );
}

async function makerOf(protocol: Protocol, { schema }: Document, endpoint: Endpoint): Promise<KeyMaker> {
  const { compileModel, fresherFor, isValid, randomFrom, samplerFor } = await import("../../../generators/index.ts");
  const model = await compileModel(protocol.schemas, schema);
  const fresher = fresherFor(model);
  const sampler = samplerFor(model);
  const random = randomFrom(1);
  const drawnValues = new Map<string, Json | undefined>();
  /** Draws a value from the schema, for a parameter without one. */
  const valueFor = (at: string): Json | undefined => {
    if (!drawnValues.has(at))
      drawnValues.set(
        at,
        Array.from({ length: maxMessages }, () => pointer.at(at, sampler.next(random))).find(
          (drawn) => typeof drawn === "string",
        ),
      );
    return drawnValues.get(at);
  };
  const route: Endpoint = { ...endpoint, carries: "parameters" };
  return (values, at, made, seed) => {
    const candidateWithKey = withValue(values, at, made);
    if (isValid(model, candidateWithKey)) return candidateWithKey;
    const valueThere = pointer.at(at, values) ?? valueFor(at);
    if (typeof valueThere !== "string") return undefined;
    const oldValues = withValue(values, at, valueThere);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const request = { at, value: made, prefix: "", seed: seed + attempt, fixed: false };
      const value = fresher(oldValues, request)?.value;
      const candidate = value === undefined ? undefined : withValue(values, at, value);
      if (candidate !== undefined && skipUnwritable(route, candidate, new Set()) === undefined) return candidate;
    }
    return undefined;
  };
}

function withValue(values: JsonObject, at: string, value: Json): JsonObject {
  const [where = "", name = ""] = pointer.segments(at);
  const section = isObject(values[where]) ? { ...values[where] } : {};
  setMember(section, name, value);
  return { ...values, [where]: section };
}

function withoutName(values: JsonObject, where: string, name: string): JsonObject {
  const section = values[where];
  if (!isObject(section)) return values;
  return { ...values, [where]: Object.fromEntries(Object.entries(section).filter(([member]) => member !== name)) };
}

function isOdd(body: Request["body"]): boolean {
  return Number.parseInt(hash("sha256", body ?? "", "hex").slice(0, 2), 16) % 2 === 1;
}
