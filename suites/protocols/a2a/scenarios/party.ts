import {
  type HttpReply,
  isObject,
  type Json,
  type JsonObject,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { quote } from "../../../base/text/show.ts";
import { type AgentInterface, wireCall } from "./calls.ts";

/** The agent, as its card describes it. */
export interface A2aParty {
  card: JsonObject;
  /** The declared interfaces that answer in their binding. */
  endpoints: readonly AgentInterface[];
  /** All interfaces of version 1.0 and a known binding. */
  declaredEndpoints: readonly AgentInterface[];
  hasStreaming: boolean;
  hasPushes: boolean;
  hasExtendedCard: boolean;
  /** The URIs of the extensions that it requires. */
  requiredExtensions: readonly string[];
  /** The URIs of all extensions in its card. */
  knownExtensions: readonly string[];
}

export const wellKnownPath = "/.well-known/agent-card.json";

export function cardPath({ setting: { options = {} } }: Pick<ScenarioContext, "setting">): string {
  return typeof options.card === "string" ? options.card : wellKnownPath;
}

/** Requests the card. The request names the version, because an agent may have a different card for each version. */
export function requestCard(
  context: ScenarioContext,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpReply> {
  return context.send({ method: "GET", path: cardPath(context), headers: { "a2a-version": "1.0", ...headers } });
}

const partyBySetting = new WeakMap<Setting, A2aParty>();

/** Reads the card once per run. Throws if there is no card, or if it has no usable interface. */
export async function partyOf(context: ScenarioContext): Promise<A2aParty> {
  const knownParty = partyBySetting.get(context.setting);
  if (knownParty !== undefined) return knownParty;
  const { json, status, text } = await requestCard(context);
  if (!isObject(json) || status !== 200)
    throw new TargetFailure("errored", "card", `its card cannot be read: HTTP ${status}: ${quote(text)}`);
  const capabilities = isObject(json.capabilities) ? json.capabilities : {};
  const extensions = listIn(capabilities.extensions).filter(isObject);
  const urisOf = (extensionObjects: readonly JsonObject[]): string[] =>
    extensionObjects.flatMap(({ uri }) => (typeof uri === "string" ? uri : []));
  const declared = endpointsIn(json, context.setting.url ?? "");
  const required = urisOf(extensions.filter((extension) => extension.required === true));
  const areOpen = await Promise.all(declared.map((endpoint) => isOpen(context, endpoint, required)));
  const party: A2aParty = {
    card: json,
    endpoints: declared.filter((_, index) => areOpen[index]),
    declaredEndpoints: declared,
    hasStreaming: capabilities.streaming === true,
    hasPushes: capabilities.pushNotifications === true,
    hasExtendedCard: capabilities.extendedAgentCard === true,
    requiredExtensions: required,
    knownExtensions: urisOf(extensions),
  };
  partyBySetting.set(context.setting, party);
  return party;
}

/** Returns the protocol version in a card of 0.x; undefined for any other card. */
export function formerVersion(card: Json | undefined): string | undefined {
  if (!isObject(card) || card.supportedInterfaces !== undefined) return undefined;
  const { protocolVersion } = card;
  return typeof protocolVersion === "string" && protocolVersion.startsWith("0.") ? protocolVersion : undefined;
}

export function listIn(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** Lists the interfaces of version 1.0 with a known binding, without duplicates. Throws if there is none. */
function endpointsIn(card: JsonObject, target: string): AgentInterface[] {
  const interfaces = listIn(card.supportedInterfaces)
    .filter(isObject)
    .filter(({ protocolVersion }) => /^1\.0(?:\.\d+)?$/.test(String(protocolVersion)));
  const endpoints = interfaces.flatMap(({ url, protocolBinding, tenant }): AgentInterface[] => {
    const path = typeof url === "string" ? pathBelow(url, target) : undefined;
    if (path === undefined || (protocolBinding !== "JSONRPC" && protocolBinding !== "HTTP+JSON")) return [];
    const ownTenant = typeof tenant === "string" && tenant !== "" ? tenant : undefined;
    return [{ binding: protocolBinding, path, tenant: ownTenant }];
  });
  const olderVersion = formerVersion(card);
  if (olderVersion !== undefined)
    throw new TargetSkip(`its card has version ${olderVersion}, so it does not offer version 1.0`);
  if (endpoints.length === 0)
    throw new TargetSkip(
      `its card names no interface of version 1.0 with the binding JSONRPC or HTTP+JSON at ${new URL(target).origin}`,
    );
  const keys = endpoints.map((endpoint) => JSON.stringify(endpoint));
  return endpoints.filter((_, index) => keys.indexOf(keys[index] as string) === index);
}

/** Whether an interface answers in its binding: with an error object, or with a demand for a credential. */
async function isOpen(
  context: ScenarioContext,
  endpoint: AgentInterface,
  required: readonly string[],
): Promise<boolean> {
  const wire = wireCall(endpoint, "GetTask", { id: "touchstone-is-nobody" }, "door-1");
  const extensions = required.length === 0 ? {} : { "a2a-extensions": required.join(",") };
  const { status, json } = await context.send({
    method: wire.method,
    path: wire.path,
    headers: { "a2a-version": "1.0", ...wire.headers, ...extensions },
    ...(wire.body === undefined ? {} : { body: wire.body }),
  });
  // A server without a route at this path may refuse the request in the form of its other binding.
  const isOtherBinding =
    endpoint.binding === "JSONRPC" && status >= 400 && isObject(json) && json.jsonrpc === undefined;
  const isAnswered = isObject(json) && (isObject(json.error) || status < 300);
  return status === 401 || status === 403 || (isAnswered && !isOtherBinding);
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/** Returns the path of an address relative to the target's; undefined if the address is not below it. */
function pathBelow(text: string, target: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const [url, base] = [new URL(text), new URL(target)];
  const isSameHost =
    url.host === base.host ||
    (url.port === base.port && [url, base].every(({ hostname }) => loopback.includes(hostname)));
  const prefix = base.pathname.replace(/\/$/, "");
  if (!isSameHost || (prefix !== "" && !url.pathname.startsWith(`${prefix}/`))) return undefined;
  return url.pathname.slice(prefix.length).replace(/\/$/, "");
}
