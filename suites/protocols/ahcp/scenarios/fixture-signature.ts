import type { JsonObject, Scenario } from "../../../../schemas/index.ts";
import type { SigningKey, Stamp } from "../rules/signature.ts";

/** A published Response with its signature. */
export interface SignatureFixture {
  rule: string;
  fixture: { key: SigningKey; stamp: Stamp; url: string; response: JsonObject };
  /** The signature. Two implementations agree on it. */
  expectedSignature: string;
  /** Whether a padded signature causes a warning ("SHOULD") or is allowed. */
  padding: "SHOULD" | "allowed";
}

/** The scenario in which the hub's signer signs the fixture. */
export function fixtureScenario({ rule, fixture, expectedSignature, padding }: SignatureFixture): Scenario {
  return {
    name: "signatures-fixture",
    says: "the signer makes the published signature of a published Response",
    rules: [rule],
    needs: ["sign"],
    withinMs: 30_000,
    async play(context) {
      const { key, stamp, url, response } = fixture;
      const secret = key.alg === "hmac-sha256" ? key.secret : "";
      const signerOutput = await context.hook("sign", { response, url, secret, ...stamp });
      const signature = String(signerOutput.signature);
      const isPadded = signature !== expectedSignature && signature.replace(/=+$/, "") === expectedSignature;
      const isAgreed = signature === expectedSignature || (isPadded && padding === "allowed");
      const why = `the signature of a published example is ${JSON.stringify(signerOutput.signature ?? null)}, not ${expectedSignature}`;
      context.expect(rule, isAgreed, why, isPadded ? "SHOULD" : undefined, { returned: signerOutput });
    },
  };
}
