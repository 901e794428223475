import { set } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { agent, batch, conditional, loop, parallel, react, sequential } from "./documents.ts";

const at = "/execution_policy/id";
const named = (id: string, config: JsonObject = {}): JsonObject => agent(id, config);

const standard: Cases = {
  rule: "AGF-POL-003",
  document: "agent",
  valid: [
    { name: "react", says: "is one of the six", data: react(), at },
    { name: "sequential", says: "is one of the six", data: sequential(), at },
    { name: "parallel", says: "is one of the six", data: parallel(), at },
    { name: "loop", says: "is one of the six", data: loop(), at },
    { name: "batch", says: "is one of the six", data: batch(), at },
    { name: "conditional", says: "is one of the six", data: conditional(), at },
    { name: "vendor", says: "has agf. after the prefix of a vendor", data: named("x-agf.magic"), at, edge: true },
    {
      name: "later-patch",
      says: "is one of the six, in a later patch",
      data: { ...react(), schema_version: "1.0.5" },
      at,
    },
    {
      name: "later-minor",
      says: "is one of the six, in a later edition",
      data: { ...react(), schema_version: "1.1.0" },
      at,
    },
  ],
  invalid: [
    { name: "unknown", says: "is none of the six", change: set(at, "agf.magic") },
    {
      name: "unknown-in-a-later-patch",
      from: "later-patch",
      says: "is none of the six, in a patch of the same edition",
      change: set(at, "agf.magic"),
      edge: true,
    },
    { name: "letter-case", says: "is one of the six but for its case", change: set(at, "agf.React"), edge: true },
    { name: "longer", says: "is one of the six with one letter more", change: set(at, "agf.loops") },
    { name: "shorter", says: "is the prefix alone", change: set(at, "agf.") },
    { name: "space", says: "is one of the six with a space after it", change: set(at, "agf.react ") },
    {
      name: "later-minor-unknown",
      from: "later-minor",
      says: "is none of the six, and a later edition may have more",
      change: set(at, "agf.magic"),
      level: "SHOULD",
    },
  ],
};

const vendor: Cases = {
  rule: "AGF-POL-004",
  document: "agent",
  valid: [
    { name: "named", says: "names vendor and policy", data: named("x-acme.plan", { depth: 3 }), at },
    {
      name: "standard-name",
      says: "bears the name of a standard policy, whose settings it need not have",
      data: named("x-acme.react"),
      at,
    },
    { name: "more-dots", says: "has further dots", data: named("x-acme.plan.v2", { steps: "none" }), at },
    { name: "short", says: "has a single character for each part", data: named("x-a.b"), at, edge: true },
  ],
  invalid: [
    { name: "no-name", says: "has no part after the vendor", change: set(at, "x-acme"), level: "SHOULD" },
    {
      name: "empty-name",
      says: "has an empty part after the vendor",
      change: set(at, "x-acme."),
      level: "SHOULD",
      edge: true,
    },
    { name: "empty-vendor", says: "has an empty part for the vendor", change: set(at, "x-.plan"), level: "SHOULD" },
  ],
};

const slip: Cases = {
  rule: "AGF-POL-005",
  document: "agent",
  valid: [
    { name: "prefixed", says: "begins with agf.", data: react(), at },
    { name: "vendor", says: "begins with x-", data: named("x-agf.react"), at, edge: true },
  ],
  invalid: [
    { name: "bare", says: "lacks its prefix", change: set(at, "react") },
    { name: "letter-case", says: "has its prefix in capitals", change: set(at, "AGF.react") },
    { name: "no-dot", says: "has another character for the dot", change: set(at, "agf-react"), edge: true },
    { name: "vendor-without-hyphen", says: "lacks the hyphen after x", change: set(at, "xacme.plan") },
    { name: "space-first", says: "has a space ahead of it", change: set(at, " agf.react") },
  ],
};

export const policyCases: readonly Cases[] = [standard, vendor, slip];
