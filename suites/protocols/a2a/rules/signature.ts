import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { type Checker, canonical, isObject, type Json, type JsonObject, jsonOf } from "../../../../schemas/index.ts";

/** The decoded text of a protected header, if it is an object. */
export function decodedHeader(text: string): JsonObject | undefined {
  const header = jsonOf(Buffer.from(text, "base64url").toString("utf8"));
  return isObject(header) ? header : undefined;
}

/** The optional members of a card whose presence is tracked, so that a value of false or "" stays. */
const tracked = new Set(
  "documentationUrl iconUrl streaming pushNotifications extendedAgentCard tenant oauth2MetadataUrl".split(" "),
);

/** Members that the definitions call REQUIRED: they stay with any value. */
const required = new Set(
  `name description supportedInterfaces version capabilities defaultInputModes defaultOutputModes skills url
  protocolBinding protocolVersion organization id tags location scheme flows openIdConnectUrl authorizationUrl
  tokenUrl scopes deviceAuthorizationUrl`.split(/\s+/),
);

function isDefault(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === "" || value === false || value === 0 || value === null;
}

function isEmpty(value: Json): boolean {
  return value === "" || value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** The card with only the members that a reading keeps; an extension defines its own `params`. */
function keepMembers(value: Json, keeps: (name: string, value: Json) => boolean, isDeep = false): Json {
  if (Array.isArray(value)) return value.map((each) => keepMembers(each, keeps, isDeep));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, each]): [string, Json] => [
    name,
    name === "params" && !isDeep ? each : keepMembers(each, keeps, isDeep),
  ]);
  return Object.fromEntries(members.filter(([name, each]) => keeps(name, each)));
}

/** The four readings of the signed payload, the stated one first. */
export function payloadsOf(card: JsonObject): { name: string; payload: string }[] {
  const { signatures: _, ...bare } = card;
  const stated = keepMembers(bare, (name, value) => required.has(name) || tracked.has(name) || !isDefault(value));
  return [
    { name: "with members that were set", payload: canonical(stated) },
    {
      name: "without empty members",
      payload: canonical(
        keepMembers(bare, (name, value) => !isEmpty(value) && (tracked.has(name) || !isDefault(value)), true),
      ),
    },
    { name: "as it was served", payload: canonical(bare) },
    { name: "without defaults", payload: canonical(keepMembers(bare, (_name, value) => !isDefault(value))) },
  ];
}

const digests: Readonly<Record<string, string | null>> = {
  EdDSA: null,
  ES256: "sha256",
  ES384: "sha384",
  ES512: "sha512",
  RS256: "sha256",
};

/** Whether one of some keys verifies a signature of a payload. */
export function isSignedBy(signature: JsonObject, payload: string, keys: readonly Json[]): boolean {
  const { protected: text, signature: seal } = signature;
  if (typeof text !== "string" || typeof seal !== "string") return false;
  const header = decodedHeader(text);
  const digest = typeof header?.alg === "string" ? digests[header.alg] : undefined;
  if (digest === undefined) return false;
  const input = Buffer.from(`${text}.${Buffer.from(payload).toString("base64url")}`);
  return keys.some((key) => {
    if (!isObject(key) || (key.kid !== undefined && key.kid !== header?.kid)) return false;
    try {
      const made = createPublicKey({ key: key as JsonWebKey, format: "jwk" });
      return verify(digest, input, { key: made, dsaEncoding: "ieee-p1363" }, Buffer.from(seal, "base64url"));
    } catch {
      return false;
    }
  });
}

const isSigned: Checker = {
  rule: "A2A-SIG-003",
  documents: ["signed-card"],
  *check(record) {
    if (!isObject(record) || !isObject(record.card) || !Array.isArray(record.keys)) return;
    const { card, keys } = record;
    const signatures = Array.isArray(card.signatures) ? card.signatures.filter(isObject) : [];
    const readings = payloadsOf(card);
    for (const [index, signature] of signatures.entries()) {
      const at = `/card/signatures/${index}`;
      const fitting = readings.find(({ payload }) => isSignedBy(signature, payload, keys));
      if (fitting === undefined) yield { at, why: "is no signature of this card by one of the keys" };
      else if (fitting !== readings[0])
        yield { at, why: `is a signature of the card ${fitting.name}`, level: "SHOULD" };
    }
  },
};

export const signatureCheckers: readonly Checker[] = [isSigned];
