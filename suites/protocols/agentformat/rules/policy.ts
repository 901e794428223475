import type { Checker, Json } from "../../../../schemas/index.ts";
import { standardPolicies } from "./calls.ts";
import { editionOf } from "./identity.ts";
import { textAt } from "./parts.ts";

const place = "/execution_policy/id";

const standardPolicyChecker: Checker = {
  rule: "AGF-POL-003",
  documents: ["agent"],
  *check(agent) {
    const id = textAt(agent, place);
    if (id === undefined || !id.startsWith("agf.") || standardPolicies.includes(id)) return;
    const why = `is "${id}", which begins as the standard's own do and is none of its six`;
    yield isOfFirstMinor(agent) ? { at: place, why } : { at: place, why, level: "SHOULD" };
  },
};

/** A later edition may have unknown policies. */
function isOfFirstMinor(agent: Json): boolean {
  const [major, minor] = editionOf(textAt(agent, "/schema_version")) ?? [];
  return major === 1 && minor === 0;
}

const vendorChecker: Checker = {
  rule: "AGF-POL-004",
  documents: ["agent"],
  *check(agent) {
    const id = textAt(agent, place);
    if (id?.startsWith("x-") && !isVendorId(id))
      yield { at: place, why: `is "${id}", and not of the form x-VENDOR.NAME`, level: "SHOULD" };
  },
};

/** Whether an id names a vendor and its policy. */
export function isVendorId(id: string): boolean {
  return /^x-[A-Za-z0-9_-]+\..+$/s.test(id);
}

/** Ids of policies. */
export const policyCheckers: readonly Checker[] = [standardPolicyChecker, vendorChecker];
