import { add, set } from "../../../../generators/index.ts";
import type { Cases, Json } from "../../../../schemas/index.ts";
import { react } from "./documents.ts";

const at = "/constraints/governance_policies";
const governed = (...governance_policies: Json[]) => react({ constraints: { governance_policies } });
const privacy = { policy_ref: "acme.privacy.mask-names-v2" };
const audit = { policy_ref: "acme.audit.log", required: false };

export const governanceCases: readonly Cases[] = [
  {
    rule: "AGF-GOV-006",
    document: "agent",
    valid: [
      { name: "three-parts", says: "have three parts", data: governed(privacy, audit), at },
      {
        name: "shortest",
        says: "has three parts of one character",
        data: governed({ policy_ref: "a.b.c" }),
        at,
        edge: true,
      },
      { name: "four-parts", says: "has four parts", data: governed({ policy_ref: "acme.eu.privacy.mask_names" }), at },
      { name: "none", says: "names no policy", data: governed(), at },
    ],
    invalid: [
      { name: "one-part", says: "has one part", change: set(`${at}/0/policy_ref`, "pii") },
      { name: "two-parts", says: "has two parts", change: set(`${at}/1/policy_ref`, "acme.audit"), edge: true },
      {
        name: "hyphens",
        says: "has hyphens where dots belong",
        change: set(`${at}/0/policy_ref`, "acme-privacy-mask-names"),
      },
      {
        name: "empty-part",
        says: "has an empty part between two others",
        change: set(`${at}/0/policy_ref`, "acme..names"),
      },
    ],
  },
  {
    rule: "AGF-GOV-007",
    document: "agent",
    valid: [
      { name: "two", says: "names two policies", data: governed(privacy, audit), at },
      {
        name: "versions",
        says: "names two versions of a policy",
        data: governed(privacy, { policy_ref: "acme.privacy.mask-names-v3" }),
        at,
        edge: true,
      },
    ],
    invalid: [
      { name: "same", says: "is named before", change: add(`${at}/-`, privacy), at: `${at}/2/policy_ref` },
      {
        name: "required-and-not",
        says: "is named before, as one that is not required",
        change: add(`${at}/-`, { ...audit, required: true }),
        at: `${at}/2/policy_ref`,
        edge: true,
      },
    ],
  },
];
