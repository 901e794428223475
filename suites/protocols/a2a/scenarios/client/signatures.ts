import { createECDH, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { canonical, type Json, type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { type ClientReport, type ClientVisit, overEachBinding, runOperation } from "./story.ts";

/** A public key from RFC 7515, appendix A.3. */
const jwk = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};
const privateKey = createPrivateKey({
  key: { ...jwk, d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI" },
  format: "jwk",
});

/** Makes a second key, which the client does not trust. */
function untrustedKey(): KeyObject {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(Buffer.alloc(32, 7));
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url")) as [
    string,
    string,
  ];
  return createPrivateKey({ key: { ...jwk, x, y, d: curve.getPrivateKey().toString("base64url") }, format: "jwk" });
}

const publicKey: JsonObject = { ...jwk, kid: "touchstone-1", alg: "ES256", use: "sig" };

/** Signs a card, which must contain only values that every JSON parser preserves. */
function signatureOf(card: JsonObject, header: JsonObject = {}, key: KeyObject = privateKey): JsonObject {
  const { signatures: _, ...unsignedCard } = card;
  const protectedHeader = Buffer.from(
    JSON.stringify({ alg: "ES256", typ: "JOSE", kid: "touchstone-1", ...header }),
  ).toString("base64url");
  const signingInput = Buffer.from(`${protectedHeader}.${Buffer.from(canonical(unsignedCard)).toString("base64url")}`);
  const signature = sign("sha256", signingInput, { key, dsaEncoding: "ieee-p1363" });
  return { protected: protectedHeader, signature: signature.toString("base64url") };
}

type CardEdit = (card: JsonObject) => JsonObject;

const signCard: CardEdit = (card) => ({ ...card, signatures: [signatureOf(card)] });

/** Cards with signatures that do not verify. */
const forgeries: Readonly<Record<string, CardEdit>> = {
  "with a changed name": (card) => ({ ...signCard(card), name: "Somebody else" }),
  "with a changed version": (card) => ({ ...signCard(card), version: "9.9.9" }),
  "with an additional skill": (card) => ({
    ...signCard(card),
    skills: [...(card.skills as Json[]), { id: "more", name: "More", description: "More.", tags: ["more"] }],
  }),
  "with a signature by an unknown key": (card) => ({ ...card, signatures: [signatureOf(card, { kid: "nobody" })] }),
  "with a signature by a different key of the same name": (card) => ({
    ...card,
    signatures: [signatureOf(card, {}, untrustedKey())],
  }),
  "with the algorithm none": (card) => ({
    ...card,
    signatures: [{ ...signatureOf(card, { alg: "none" }), signature: "" }],
  }),
  "with the signature of another card": (card) => ({
    ...card,
    signatures: [signatureOf({ ...card, name: "Another" })],
  }),
};

function reverseMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member as Json)]),
  );
}

async function checkSignatures(visit: ClientVisit): Promise<void> {
  const { context } = visit;
  const orderWithCard = async (card: CardEdit): Promise<ClientReport> =>
    runOperation(context, await visit.stub({ card }), "SendMessage", { keys: [publicKey] });
  const signedReport = await orderWithCard(signCard);
  if (signedReport.error !== undefined)
    throw new TargetSkip(`the client does not use a correctly signed card: ${signedReport.brief}`);
  const acceptedForgeries: string[] = [];
  for (const [forgeryName, forge] of Object.entries(forgeries)) {
    const { error, brief } = await orderWithCard(forge);
    if (error === undefined) acceptedForgeries.push(`a card ${forgeryName} is used: ${brief}`);
  }
  const [firstAccepted] = acceptedForgeries;
  const rejectsSome = acceptedForgeries.length < Object.keys(forgeries).length;
  visit.expect("A2A-SIG-008", rejectsSome, `signatures are not verified: ${firstAccepted}`);
  if (!rejectsSome) return context.skip("A2A-SIG-006", "the client does not verify the signatures of cards");
  visit.expect("A2A-SIG-006", firstAccepted === undefined, String(firstAccepted));
  const { error, brief } = await orderWithCard((card) => reverseMembers(signCard(card)) as JsonObject);
  visit.expect(
    "A2A-SIG-006",
    error === undefined,
    `a signed card with its members in a different order is refused: ${brief}`,
  );
}

export const signatureScenarios: readonly Scenario[] = [
  overEachBinding({
    name: "client-signatures",
    says: "a card that was changed after it was signed is refused",
    rules: ["A2A-SIG-006", "A2A-SIG-008"],
    play: checkSignatures,
  }),
];
