import type { Breach, Checker, Json, JsonObject } from "../../../../schemas/index.ts";
import { breachIn } from "./identity.ts";
import { growDocument } from "./large.ts";
import { type ObjectSpot, objectsIn, spots } from "./places.ts";
import { bytesOf } from "./size.ts";

const documents: readonly string[] = ["agent-card", "signed-card"];

/** Finds the card of a document: the document itself, or the card in a signed document. */
function cardsIn(instance: Json, document: string): ObjectSpot[] {
  if (document === "agent-card") return spots(instance, "");
  return document === "signed-card" ? spots(instance, "/card") : [];
}

function checker(
  rule: string,
  judge: (card: JsonObject, at: string) => Iterable<Breach>,
  moreDocuments: string[] = [],
): Checker {
  return {
    rule,
    documents: [...documents, ...moreDocuments],
    *check(instance, document) {
      for (const { value, at } of cardsIn(...growDocument(instance, document))) yield* judge(value, at);
    },
  };
}

/** The maximum size of a card: 64 KB, in the larger of two readings. */
const maxBytes = 65_536;

export const cardCheckers: readonly Checker[] = [
  checker("SNAP-CARD-004", function* ({ identity }, at) {
    const breach = breachIn(identity, `${at}/identity`);
    if (breach !== undefined) yield breach;
  }),
  checker("SNAP-CARD-006", function* (card, at) {
    for (const endpoint of objectsIn({ value: card, at }, "endpoints")) {
      const breach = schemeBreach(endpoint.value, `${endpoint.at}/url`);
      if (breach !== undefined) yield breach;
    }
  }),
  checker("SNAP-CARD-009", function* (card, at) {
    const seenIds = new Set<Json>();
    for (const skill of objectsIn({ value: card, at }, "skills")) {
      const { id } = skill.value;
      if (typeof id !== "string") continue;
      if (seenIds.has(id))
        yield { at: `${skill.at}/id`, why: `is ${JSON.stringify(id)}, which a skill before has for its id` };
      seenIds.add(id);
    }
  }),
  checker(
    "SNAP-CARD-013",
    function* (card, at) {
      const size = bytesOf(card) ?? 0;
      if (size > maxBytes) yield { at, why: `has ${size} bytes, more than ${maxBytes}` };
    },
    ["large"],
  ),
  checker("SNAP-CARD-014", function* ({ protocolVersion, supportedVersions }, at) {
    if (typeof protocolVersion !== "string" || !Array.isArray(supportedVersions)) return;
    if (!supportedVersions.includes(protocolVersion))
      yield {
        at: `${at}/protocolVersion`,
        why: `is ${JSON.stringify(protocolVersion)}, which is none of the supported versions`,
      };
  }),
];

/** Returns the breach if the scheme of an endpoint's URL does not fit its protocol. */
function schemeBreach({ protocol, url }: JsonObject, at: string): Breach | undefined {
  const scheme = typeof url === "string" ? /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() : undefined;
  if (scheme === undefined || (protocol !== "http" && protocol !== "wss")) return undefined;
  if (protocol === "wss" ? scheme === "wss" : scheme === "https") return undefined;
  const why = `has the scheme ${scheme} for the protocol ${protocol}`;
  if (protocol === "wss" || scheme !== "http") return { at, why };
  const visibility = visibilityOf(String(url));
  if (visibility === "private") return undefined;
  // A host name may belong to a private network; only an IP address shows that it is public.
  return {
    at,
    why: "is plain http on what seems to be a public host",
    ...(visibility === "public" ? {} : { level: "SHOULD" }),
  };
}

/** Determines whether the host of a URL can be reached publicly. */
function visibilityOf(url: string): "private" | "public" | "unknown" {
  if (!URL.canParse(url)) return "unknown";
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (host.includes(":")) return visibilityOfIpv6(host);
  if (/^\d+(\.\d+){3}$/.test(host)) return visibilityOfIpv4(host);
  return !host.includes(".") || /\.(localhost|local|internal|test|home\.arpa)$/.test(host) ? "private" : "unknown";
}

function visibilityOfIpv4(address: string): "private" | "public" {
  // Loopback, private, link-local, shared and benchmark networks (RFC 6890).
  const privateRanges =
    /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|198\.1[89]|0)\./;
  return privateRanges.test(address) ? "private" : "public";
}

/** Addresses that are not global unicast (RFC 4291, 2.4) are private. An IPv4 address may be mapped to IPv6 (2.5.5.2). */
function visibilityOfIpv6(address: string): "private" | "public" {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return /^[23][0-9a-f]{3}:/.test(address) ? "public" : "private";
  const bytes = [high, low].flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 0xff]);
  return visibilityOfIpv4(bytes.join("."));
}
