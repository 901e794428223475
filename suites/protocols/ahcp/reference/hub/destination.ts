import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { isLoopback } from "./addresses.ts";
import type { RunningHub } from "./hub.ts";
import { fault, type HubReply } from "./reply.ts";
import type { StoredMessage } from "./store.ts";

/** The address that was checked for a push. The hub connects to it even if a later DNS lookup returns a different one. */
export interface Destination {
  url: URL;
  address: string;
  /** Whether the agent owns the host, so that the hub may send credentials to it. */
  isBound: boolean;
}

/** A message and its agent. */
type OwnedMessage = Pick<StoredMessage, "agent" | "message">;

/** Host names that always lead into the hub's own network. */
const localName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Refuses a callback to which the hub would never push. Only the production profile does so. */
export function refuseForbiddenTarget(
  hub: RunningHub,
  callback: Json | undefined,
  { agent, message }: OwnedMessage,
): HubReply | undefined {
  if (!isStrict(hub, message) || !isObject(callback) || callback.mode !== "push") return undefined;
  const url = parseTarget(String(callback.url));
  const refuse = (reason: string): HubReply => fault("invalid_field", `the callback's url ${reason}`);
  if (typeof url === "string") return refuse(url);
  const host = hostOf(url);
  const isPrivate = isIP(host) === 0 ? localName.test(host) : hub.policy.isPrivate(host, "submit");
  if (isPrivate) return refuse("leads into a private network");
  if (hub.policy.needsBinding && !hub.policy.isBound(hub.policy.bindingOf(url), agent, hub))
    return refuse("has a host that is not known to be the agent's");
  return undefined;
}

function isStrict({ settings, policy }: RunningHub, message: JsonObject): boolean {
  return settings.profile === "production" && settings.relaxed !== true && policy.checksCallback(message);
}

/** Looks up the host. Returns the address to connect to, or the reason not to connect. Throws if the host does not exist. */
export async function destinationOf(
  hub: RunningHub,
  text: string,
  { agent, message }: OwnedMessage,
): Promise<Destination | string> {
  const url = parseTarget(text);
  if (typeof url === "string") return url;
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await addressesOf(hub, host) : [host];
  const [address] = addresses;
  if (address === undefined) throw new Error("the host has no address");
  const isBound = hub.policy.isBound(hub.policy.bindingOf(url), agent, hub);
  if (isStrict(hub, message)) {
    if (hub.policy.needsBinding && !isBound) return "has a host that is not known to be the agent's";
    if (addresses.some((candidate) => hub.policy.isPrivate(candidate, "delivery")))
      return "leads into a private network";
  } else if (!isBound && !addresses.every(isLoopback)) return "has a host that is neither bound nor on this machine";
  const [finalAddress = address] = hub.policy.repeatsLookup && isIP(host) === 0 ? await addressesOf(hub, host) : [];
  return { url, address: finalAddress, isBound };
}

/** The host in lower case, without brackets or a final dot, so that it can be compared. */
export function hostOf({ hostname }: URL): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

function parseTarget(text: string): URL | string {
  if (!URL.canParse(text)) return "cannot be understood";
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return `has the scheme ${url.protocol}`;
  return url.username === "" && url.password === "" ? url : "names a user";
}

async function addressesOf(hub: RunningHub, host: string): Promise<readonly string[]> {
  const answers = hub.names.get(host);
  if (answers !== undefined) return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  // RFC 6761: these names mean this machine, whatever DNS returns.
  if (/(?:^|\.)localhost$/.test(host)) return ["127.0.0.1"];
  if (hub.settings.lookup !== undefined) return hub.settings.lookup(host);
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
