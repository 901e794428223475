import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { type Checker, canonical, isObject, type Json, type JsonObject, jsonOf } from "../../../../schemas/index.ts";

/** Decodes a protected header; undefined if it is not a JSON object. */
export function decodedHeader(protectedText: string): JsonObject | undefined {
  const header = jsonOf(Buffer.from(protectedText, "base64url").toString("utf8"));
  return isObject(header) ? header : undefined;
}

/** The optional members for which Protocol Buffers record presence, so that a value of false or "" stays in the signed payload. */
const membersWithPresence = new Set(
  "documentationUrl iconUrl streaming pushNotifications extendedAgentCard tenant oauth2MetadataUrl".split(" "),
);

/** Members that the definitions call REQUIRED: they stay in the signed payload with any value. */
const requiredMembers = new Set(
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

/** Removes the members that should not be kept, at every depth. Keeps the `params` of an extension whole by default. */
function keepMembers(value: Json, shouldKeep: (name: string, value: Json) => boolean, isFilteringParams = false): Json {
  if (Array.isArray(value)) return value.map((each) => keepMembers(each, shouldKeep, isFilteringParams));
  if (!isObject(value)) return value;
  const keptMembers = Object.entries(value).map(([name, each]): [string, Json] => [
    name,
    name === "params" && !isFilteringParams ? each : keepMembers(each, shouldKeep, isFilteringParams),
  ]);
  return Object.fromEntries(keptMembers.filter(([name, each]) => shouldKeep(name, each)));
}

/** Lists the payloads that a signature may cover: one for each of four readings of the specification, the literal reading first. */
export function payloadsOf(card: JsonObject): { name: string; payload: string }[] {
  const { signatures: _, ...unsigned } = card;
  const setMembers = keepMembers(
    unsigned,
    (name, value) => requiredMembers.has(name) || membersWithPresence.has(name) || !isDefault(value),
  );
  return [
    { name: "with members that were set", payload: canonical(setMembers) },
    {
      name: "without empty members",
      payload: canonical(
        keepMembers(
          unsigned,
          (name, value) => !isEmpty(value) && (membersWithPresence.has(name) || !isDefault(value)),
          true,
        ),
      ),
    },
    { name: "as it was served", payload: canonical(unsigned) },
    { name: "without defaults", payload: canonical(keepMembers(unsigned, (_name, value) => !isDefault(value))) },
  ];
}

const digestOfAlgorithm: Readonly<Record<string, string | null>> = {
  EdDSA: null,
  ES256: "sha256",
  ES384: "sha384",
  ES512: "sha512",
  RS256: "sha256",
};

/** Whether any of the keys verifies the signature of a payload. */
export function isSignedBy(signature: JsonObject, payload: string, keys: readonly Json[]): boolean {
  const { protected: text, signature: encodedSignature } = signature;
  if (typeof text !== "string" || typeof encodedSignature !== "string") return false;
  const header = decodedHeader(text);
  const digest = typeof header?.alg === "string" ? digestOfAlgorithm[header.alg] : undefined;
  if (digest === undefined) return false;
  const signedInput = Buffer.from(`${text}.${Buffer.from(payload).toString("base64url")}`);
  return keys.some((key) => {
    if (!isObject(key) || (key.kid !== undefined && key.kid !== header?.kid)) return false;
    try {
      const publicKey = createPublicKey({ key: key as JsonWebKey, format: "jwk" });
      return verify(
        digest,
        signedInput,
        { key: publicKey, dsaEncoding: "ieee-p1363" },
        Buffer.from(encodedSignature, "base64url"),
      );
    } catch {
      return false;
    }
  });
}

const verifiedSignatures: Checker = {
  rule: "A2A-SIG-003",
  documents: ["signed-card"],
  *check(record) {
    if (!isObject(record) || !isObject(record.card) || !Array.isArray(record.keys)) return;
    const { card, keys } = record;
    const signatures = Array.isArray(card.signatures) ? card.signatures.filter(isObject) : [];
    const readings = payloadsOf(card);
    for (const [index, signature] of signatures.entries()) {
      const at = `/card/signatures/${index}`;
      const matching = readings.find(({ payload }) => isSignedBy(signature, payload, keys));
      if (matching === undefined) yield { at, why: "is not a signature of this card by any of the keys" };
      else if (matching !== readings[0])
        yield { at, why: `is a signature of the card ${matching.name}`, level: "SHOULD" };
    }
  },
};

export const signatureCheckers: readonly Checker[] = [verifiedSignatures];
