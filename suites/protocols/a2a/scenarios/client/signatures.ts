import { createECDH, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { canonical, type Json, type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { type ClientReport, type ClientVisit, overEachBinding, tell } from "./story.ts";

/** A key from RFC 7515, appendix A.3. */
const jwk = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};
const secret = createPrivateKey({ key: { ...jwk, d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI" }, format: "jwk" });

/** Another key, which the client does not trust. */
function strangeKey(): KeyObject {
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

/** A signature of a card whose members all have values that every reading keeps. */
function signatureOf(card: JsonObject, header: JsonObject = {}, key: KeyObject = secret): JsonObject {
  const { signatures: _, ...bare } = card;
  const text = Buffer.from(JSON.stringify({ alg: "ES256", typ: "JOSE", kid: "touchstone-1", ...header })).toString(
    "base64url",
  );
  const input = Buffer.from(`${text}.${Buffer.from(canonical(bare)).toString("base64url")}`);
  const seal = sign("sha256", input, { key, dsaEncoding: "ieee-p1363" });
  return { protected: text, signature: seal.toString("base64url") };
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
  "with a signature by another key of the same name": (card) => ({
    ...card,
    signatures: [signatureOf(card, {}, strangeKey())],
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
      .map(([name, each]) => [name, reverseMembers(each as Json)]),
  );
}

async function verifiesCards(visit: ClientVisit): Promise<void> {
  const { context } = visit;
  const use = async (card: CardEdit): Promise<ClientReport> =>
    tell(context, await visit.stub({ card }), "SendMessage", { keys: [publicKey] });
  const right = await use(signCard);
  if (right.error !== undefined) throw new TargetSkip(`the client does not use a rightly signed card: ${right.brief}`);
  const used: string[] = [];
  for (const [what, change] of Object.entries(forgeries)) {
    const { error, brief } = await use(change);
    if (error === undefined) used.push(`a card ${what} is used: ${brief}`);
  }
  const [first] = used;
  const verifies = used.length < Object.keys(forgeries).length;
  visit.expect("A2A-SIG-008", verifies, `signatures are not verified: ${first}`);
  if (!verifies) return context.skip("A2A-SIG-006", "the client does not verify the signatures of cards");
  visit.expect("A2A-SIG-006", first === undefined, String(first));
  const { error, brief } = await use((card) => reverseMembers(signCard(card)) as JsonObject);
  visit.expect(
    "A2A-SIG-006",
    error === undefined,
    `a signed card with its members in another order is refused: ${brief}`,
  );
}

export const signatures: readonly Scenario[] = [
  overEachBinding({
    name: "client-signatures",
    says: "a card that was changed after it was signed is refused",
    rules: ["A2A-SIG-006", "A2A-SIG-008"],
    play: verifiesCards,
  }),
];
