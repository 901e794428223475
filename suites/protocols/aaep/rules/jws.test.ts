import { constants, createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from "node:crypto";
import { p256 } from "@noble/curves/nist.js";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../schemas/index.ts";
import { openJws } from "./jws.ts";
import { harbourManifest, jws, key, signatures } from "./signed.fixture.ts";

/** The part of a JWS that its signature covers. */
const signedText = (header: JsonObject, payload: JsonObject) => jws(header, payload, "").slice(0, -1);

describe("the signatures of the vectors", () => {
  // RFC 7515, A.3.
  const secret = Buffer.from("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI", "base64url");
  const signManifest = (payload: JsonObject, privateKey: Uint8Array, format: "compact" | "der") =>
    Buffer.from(
      p256.sign(Buffer.from(signedText({ alg: "ES256" }, payload)), privateKey, { lowS: false, format }),
    ).toString("base64url");

  it("equal those that another library makes with the published key", () => {
    expect(Buffer.from(p256.getPublicKey(secret, false)).toString("base64url")).toBe(
      Buffer.concat([Buffer.of(4), ...["x", "y"].map((name) => Buffer.from(String(key[name]), "base64url"))]).toString(
        "base64url",
      ),
    );
    expect(signatures).toEqual({
      manifest: signManifest(harbourManifest, secret, "compact"),
      manifestInDer: signManifest(harbourManifest, secret, "der"),
      otherAgent: signManifest({ ...harbourManifest, agent_id: "ferry-desk" }, secret, "compact"),
      otherKey: signManifest(harbourManifest, new Uint8Array(32).fill(7), "compact"),
      hmac: createHmac("sha256", JSON.stringify(key))
        .update(signedText({ alg: "HS256" }, harbourManifest))
        .digest("base64url"),
    });
  });
});

describe("openJws", () => {
  const payload = { agent_id: "harbour-desk" };
  const jwk = (exportedKey: KeyObject) => exportedKey.export({ format: "jwk" }) as JsonWebKey as JsonObject;
  const keyPairs = {
    ES384: generateKeyPairSync("ec", { namedCurve: "P-384" }),
    PS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    EdDSA: generateKeyPairSync("ed25519"),
  };
  const signPayload = (alg: string, hash: string | null, signingKey: KeyObject, padding?: number) => {
    const options = {
      key: signingKey,
      dsaEncoding: "ieee-p1363" as const,
      ...(padding === undefined ? {} : { padding }),
    };
    return jws({ alg }, payload, sign(hash, Buffer.from(signedText({ alg }, payload)), options).toString("base64url"));
  };

  it.each([
    ["ES384", signPayload("ES384", "sha384", keyPairs.ES384.privateKey), keyPairs.ES384.publicKey],
    ["RS256", signPayload("RS256", "sha256", keyPairs.PS256.privateKey), keyPairs.PS256.publicKey],
    [
      "PS256",
      signPayload("PS256", "sha256", keyPairs.PS256.privateKey, constants.RSA_PKCS1_PSS_PADDING),
      keyPairs.PS256.publicKey,
    ],
    ["EdDSA", signPayload("EdDSA", null, keyPairs.EdDSA.privateKey), keyPairs.EdDSA.publicKey],
  ])("verifies %s", (_, text, publicKey) => {
    expect(openJws(text, jwk(publicKey))).toEqual({ payload });
    expect(
      openJws(text.replace(/\.[^.]*\./, `.${Buffer.from('{"agent_id":"x"}').toString("base64url")}.`), jwk(publicKey)),
    ).toHaveProperty("fault");
  });

  it("verifies an HMAC with a shared secret, and never with a public key", () => {
    const k = Buffer.from("a secret that both ends know").toString("base64url");
    const tag = createHmac("sha256", Buffer.from(k, "base64url"))
      .update(signedText({ alg: "HS256" }, payload))
      .digest("base64url");
    const text = jws({ alg: "HS256" }, payload, tag);
    expect(openJws(text, { kty: "oct", k })).toEqual({ payload });
    expect(openJws(text, { kty: "oct", k: `AA${k}` })).toHaveProperty("fault");
    expect(openJws(text, { ...key, k })).toHaveProperty("fault");
  });

  it("accepts a signature with an unknown algorithm", () => {
    expect(openJws(jws({ alg: "ML-DSA-44" }, payload, "AA"), key)).toEqual({ payload });
  });

  it.each([
    ["four parts", `${jws({ alg: "ES256" }, harbourManifest, signatures.manifest)}.AA`],
    ["a header that is a list", jws(["ES256"], harbourManifest, signatures.manifest)],
    ["a critical header", jws({ alg: "ES256", crit: ["b64"], b64: false }, harbourManifest, signatures.manifest)],
    ["an empty string", ""],
  ])("rejects %s", (_, text) => {
    expect(openJws(text, key)).toHaveProperty("fault");
  });

  it("rejects an invalid key", () => {
    expect(
      openJws(jws({ alg: "ES256" }, harbourManifest, signatures.manifest), {
        kty: "EC",
        crv: "P-256",
        x: "AA",
        y: "AA",
      }),
    ).toHaveProperty("fault");
  });
});
