import { type Checker, equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { dp004 } from "./fixtures.ts";
import { recipeOf } from "./recipes.ts";
import { payloadDigest } from "./signature.ts";

/** The rule that a wrong digest breaks, and a description of the mistake. Undefined if the digest is correct or cannot be judged. */
function digestBreach(record: Json): { rule: string; how: string } | undefined {
  if (!isObject(record) || typeof record.payload_sha256 !== "string") return undefined;
  const payload = payloadOf(record);
  if (payload === undefined) return undefined;
  const { payload_sha256: digest } = record;
  let expectedDigest: string | undefined;
  try {
    expectedDigest = payloadDigest(payload);
  } catch {
    return undefined;
  }
  if (digest === expectedDigest) return undefined;
  const recipe = recipeOf(digest, payload);
  const rule = equal(payload, dp004) ? "AHCP-SIG-019" : (recipe?.rule ?? "AHCP-SIG-004");
  return { rule, how: recipe === undefined ? "is not the payload's" : `was made ${recipe.says}` };
}

function payloadOf({ payload }: JsonObject): JsonObject | undefined {
  try {
    const value = typeof payload === "string" ? (JSON.parse(payload) as Json) : payload;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const digestCheckers: readonly Checker[] = ["AHCP-SIG-004", "AHCP-SIG-005", "AHCP-SIG-019"].map((rule) => ({
  rule,
  documents: ["digest"],
  *check(record) {
    const wrongDigest = digestBreach(record);
    if (wrongDigest?.rule === rule) yield { at: "/payload_sha256", why: wrongDigest.how };
  },
}));
