import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { cardFact, cardForgeries } from "./facts.fixture.ts";
import { keyA } from "./keys.ts";
import { digestOf, sign } from "./signature.ts";
import { cardText } from "./signed-card.ts";

const protocol = await ruled(protocolNamed("snap"));
const card: JsonObject = {
  name: "Agent A",
  description: "Fixture agent",
  version: "1.0.0",
  identity: keyA.address.main,
  skills: [{ id: "echo", name: "Echo", description: "Echo text", tags: ["echo"] }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
};
const timestamp = 1738627200;
const [digest, sig] = cardFact;

/** What a forgery changes besides its key and signature. */
const changes: Readonly<Record<string, JsonObject>> = {
  timestamp: { timestamp: timestamp + 1 },
  name: { card: { ...card, name: "Agent X" } },
};

describe("a served card", () => {
  it("has the signature that other implementations compute", () => {
    const hash = digestOf(new TextEncoder().encode(cardText(card, timestamp)));
    expect([bytesToHex(hash), sign(hash, keyA.tweaked)]).toEqual([digest, sig]);
    expect(findings(protocol, "signed-card", { card, sig, publicKey: keyA.output, timestamp })).toEqual([]);
  });

  it.each(cardForgeries)("is refused with a forgery: %s", (change, publicKey, wrongSignature) => {
    const served = { card, timestamp, publicKey, sig: wrongSignature, ...changes[change] };
    expect(findings(protocol, "signed-card", served).map(({ rule }) => rule)).toEqual(["SNAP-DISC-002"]);
  });

  it("is only refused for its identity if the identity is invalid", () => {
    const served = {
      card: { ...card, identity: `${keyA.address.main.slice(0, -1)}q` },
      sig,
      publicKey: keyA.output,
      timestamp,
    };
    expect(findings(protocol, "signed-card", served).map(({ rule }) => rule)).toEqual(["SNAP-CARD-004"]);
  });
});
