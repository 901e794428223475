import type { Checker, Json } from "../../../../schemas/index.ts";
import { standardPolicies } from "./calls.ts";
import { editionOf } from "./identity.ts";
import { textAt } from "./parts.ts";

const idPath = "/execution_policy/id";

const standardPolicyChecker: Checker = {
  rule: "AGF-POL-003",
  documents: ["agent"],
  *check(agent) {
    const id = textAt(agent, idPath);
    if (id === undefined || !id.startsWith("agf.") || standardPolicies.includes(id)) return;
    const why = `is "${id}", which has the prefix of the standard but is not a standard policy`;
    yield isFirstMinor(agent) ? { at: idPath, why } : { at: idPath, why, level: "SHOULD" };
  },
};

/** Whether a document declares version 1.0. A later version may add policies. */
function isFirstMinor(agent: Json): boolean {
  const [major, minor] = editionOf(textAt(agent, "/schema_version")) ?? [];
  return major === 1 && minor === 0;
}

const vendorChecker: Checker = {
  rule: "AGF-POL-004",
  documents: ["agent"],
  *check(agent) {
    const id = textAt(agent, idPath);
    if (id?.startsWith("x-") && !isVendorId(id))
      yield { at: idPath, why: `is "${id}", which does not have the form x-VENDOR.NAME`, level: "SHOULD" };
  },
};

/** Whether an id names a vendor and its policy. */
export function isVendorId(id: string): boolean {
  return /^x-[A-Za-z0-9_-]+\..+$/s.test(id);
}

/** Checks the ids of policies. */
export const policyCheckers: readonly Checker[] = [standardPolicyChecker, vendorChecker];
