import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";

/** A manifest that follows every rule. */
export const harbourManifest: JsonObject = {
  "@context": coreContext,
  type: "aaep:producer.manifest",
  agent_id: "harbour-desk",
  agent_version: "2.3.0",
  aaep_versions_supported: ["1.0.0"],
  conformance_levels_supported: [1, 2, 3],
  transports_supported: ["sse"],
  languages_supported: ["en-GB", "pt-PT"],
  event_types_emitted: ["aaep:agent.*"],
};

/** The public half of the key in appendix A.3 of RFC 7515. */
export const key: JsonObject = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};

/** Joins the parts of a JWS. The signature need not be valid. */
export function jws(header: Json, payload: Json, signature: string): string {
  const encodePart = (value: Json): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encodePart(header)}.${encodePart(payload)}.${signature}`;
}

/** Signatures by the private half of that key, unless stated otherwise. They are reproducible, because ECDSA uses the nonce of RFC 6979. */
export const signatures = {
  /** The signature of the manifest with `ES256`. */
  manifest: "hIe0SjbZ_hiiJpmoXDZfwTHSFxrlKZLQ_LP92Dfz-_Wvm-rKEDTQevWtGy-zxSszbOX1kfyYqA6MIwrZlGu3CA",
  /** The same signature in DER, as TLS encodes it. */
  manifestInDer: "MEYCIQCEh7RKNtn-GKImmahcNl_BMdIXGuUpktD8s_3YN_P79QIhAK-b6soQNNB69a0bL7PFKzNs5fWR_JioDowjCtmUa7cI",
  /** The signature of another agent's manifest. */
  otherAgent: "2b8NQjJ0PGa1RhgO_Ry7OUiwzTlOA1rcaep7orc6ukJdrBSNDzsX-odyvCNWwp0vSz1pcM-auX0amJCzUUQtLw",
  /** A signature of the manifest by another key. */
  otherKey: "_ZpykmCF9jKS5pc6142frMMh660G2xPQ3o7527SD5qaUml1zjEywQC7hHgdcyYMPTbcksvJmH9Y3cDGA6_ZK-w",
  /** An HMAC of the manifest with `HS256`, with the public key as its secret. */
  hmac: "vQGhdMDwQg1L_MGwupOZDbXogL8Z3_TnBPXy7fVv0Mw",
};
