import type { JsonObject, Scenario } from "../../../../schemas/index.ts";
import type { SigningKey, Stamp } from "../rules/signature.ts";

/** A Response whose signature is published. */
export interface SignatureFixture {
  rule: string;
  fixture: { key: SigningKey; stamp: Stamp; url: string; response: JsonObject };
  /** The value on which two implementations agree. */
  agreed: string;
  /** Whether padding of the signature is only warned of, or allowed. */
  padding: "SHOULD" | "allowed";
}

/** The scenario that has the hub's signer sign the fixture. */
export function fixtureScenario({ rule, fixture, agreed: expectedSignature, padding }: SignatureFixture): Scenario {
  return {
    name: "signatures-fixture",
    says: "the signer signs a Response that is published as it should be",
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
      const why = `of a published example it makes ${JSON.stringify(signerOutput.signature ?? null)}, not ${expectedSignature}`;
      context.expect(rule, isAgreed, why, isPadded ? "SHOULD" : undefined, { returned: signerOutput });
    },
  };
}
