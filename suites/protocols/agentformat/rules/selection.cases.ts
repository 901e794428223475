import { remove, set } from "../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../schemas/index.ts";
import { advisory, react } from "./documents.ts";

const mask = "acme.privacy.mask-v1";
const log = "acme.audit.log";
const metadata = {
  ...(react().metadata as JsonObject),
  namespace: "acme.travel",
  data_classification: "internal",
  labels: { team: "trips", region: "eu" },
  annotations: { tier: "gold", team: "hotels" },
};
const governed = (...governance_policies: Json[]): JsonObject =>
  react({ metadata, constraints: { governance_policies } });
const selected = (document: JsonObject, registry: JsonObject[], applied: string[], started = true): JsonObject => ({
  document,
  registry,
  started,
  applied,
});
const started = "/started";

const necessary: Cases = {
  rule: "AGF-GOV-002",
  document: "selection",
  valid: [
    {
      name: "found",
      says: "is true, as the required policy is there",
      data: selected(governed({ policy_ref: mask }), [{ policy: mask }], [mask]),
      at: started,
    },
    {
      name: "refused",
      says: "is false, as the required policy is missing",
      data: selected(governed({ policy_ref: mask, required: true }), [], [], false),
      at: started,
    },
    {
      name: "one-missing",
      says: "is false, as one of two is missing",
      data: selected(governed({ policy_ref: log }, { policy_ref: mask }), [{ policy: log }], [], false),
      at: started,
      edge: true,
    },
    {
      name: "both-kinds",
      says: "is false, as the required one of two is missing",
      data: selected(governed({ policy_ref: mask }, { policy_ref: log, required: false }), [], [], false),
      at: started,
      edge: true,
    },
  ],
  invalid: [
    {
      name: "by-default",
      says: "is true, although the policy is missing that is required by default",
      change: set("/registry", []),
      at: started,
      edge: true,
    },
    {
      name: "run-all-the-same",
      from: "refused",
      says: "is true, although the required policy is missing",
      change: set(started, true),
    },
    {
      name: "second-of-two",
      from: "one-missing",
      says: "is true, although the second of two is missing",
      change: set(started, true),
    },
    {
      name: "other-version",
      says: "is true, although another version alone is there",
      change: set("/registry/0/policy", "acme.privacy.mask-v2"),
      at: started,
    },
    {
      name: "both-kinds-run",
      from: "both-kinds",
      says: "is true, as if no policy were required",
      change: set(started, true),
    },
  ],
};

const optional: Cases = {
  rule: "AGF-GOV-003",
  document: "selection",
  valid: [
    {
      name: "run",
      says: "is true, though the policy that is not required is missing",
      data: selected(governed({ policy_ref: mask, required: false }), [], []),
      at: started,
      edge: true,
    },
    {
      name: "found",
      says: "is true, and the policy is there",
      data: selected(governed({ policy_ref: mask, required: false }), [{ policy: mask }], [mask]),
      at: started,
    },
    {
      name: "both-missing",
      says: "is false for want of a required policy, and not of the other",
      data: selected(governed({ policy_ref: log, required: false }, { policy_ref: mask }), [], [], false),
      at: started,
      edge: true,
    },
    {
      name: "beside-a-required",
      says: "is true, as the required one is there",
      data: selected(governed({ policy_ref: mask }, { policy_ref: log, required: false }), [{ policy: mask }], [mask]),
      at: started,
    },
  ],
  invalid: [
    { name: "fatal", says: "is false for want of a policy that is not required", change: set(started, false) },
    {
      name: "fatal-beside-a-required",
      from: "beside-a-required",
      says: "is false for want of a policy that is not required",
      change: set(started, false),
    },
  ],
};

const choosing = (when: JsonObject, applied: string[]): JsonObject =>
  selected(
    governed(),
    [
      { policy: mask, when },
      { policy: log, when: { namespace: "acme.hotels" } },
    ],
    applied,
  );
const applied = "/applied";

const unmentioned: Cases = {
  rule: "AGF-GOV-005",
  document: "selection",
  valid: [
    {
      name: "label",
      says: "has the policy that a label selects",
      data: choosing({ labels: { team: "trips" } }, [mask]),
      at: applied,
    },
    {
      name: "two-labels",
      says: "has the policy that two labels select",
      data: choosing({ labels: { team: "trips", region: "eu" } }, [mask]),
      at: applied,
    },
    {
      name: "namespace",
      says: "has the policy that the namespace selects",
      data: choosing({ namespace: "acme.travel" }, [mask]),
      at: applied,
    },
    {
      name: "classification",
      says: "has the policy that the data classification selects",
      data: choosing({ data_classification: "internal" }, [mask]),
      at: applied,
    },
    {
      name: "one-label-of-two",
      says: "has no policy, as only one of two labels fits",
      data: choosing({ labels: { team: "trips", region: "us" } }, []),
      at: applied,
      edge: true,
    },
    {
      name: "one-part-of-two",
      says: "has no policy, as the namespace fits and the label does not",
      data: choosing({ namespace: "acme.travel", labels: { team: "hotels" } }, []),
      at: applied,
      edge: true,
    },
    {
      name: "not-started",
      says: "has no policy, as there was no run",
      data: selected(governed({ policy_ref: log }), [{ policy: mask, when: { namespace: "acme.travel" } }], [], false),
      at: applied,
    },
    {
      name: "all-parts",
      says: "has the policy of which every part fits",
      data: choosing({ namespace: "acme.travel", labels: { team: "trips" } }, [mask]),
      at: applied,
    },
  ],
  invalid: [
    { name: "label-ignored", says: "lacks the policy that a label selects", change: set(applied, []) },
    {
      name: "two-labels-ignored",
      from: "two-labels",
      says: "lacks the policy that two labels select",
      change: set(applied, []),
    },
    {
      name: "namespace-ignored",
      from: "namespace",
      says: "lacks the policy that the namespace selects",
      change: set(applied, []),
    },
    {
      name: "classification-ignored",
      from: "classification",
      says: "lacks the policy that the data classification selects",
      change: remove(`${applied}/0`),
      at: applied,
    },
    {
      name: "fits-after-all",
      from: "one-label-of-two",
      says: "lacks the policy of which the only label fits",
      change: set("/registry/0/when/labels", { region: "eu" }),
      at: applied,
      edge: true,
    },
  ],
};

const noAnnotation: Cases = {
  rule: "AGF-META-008",
  document: "selection",
  valid: [
    {
      name: "not-by-annotation",
      says: "has no policy, as an annotation selects none",
      data: choosing({ annotations: { tier: "gold" } }, []),
      at: applied,
      edge: true,
    },
    {
      name: "by-label",
      says: "has the policy that a label selects, whatever the annotation of that name",
      data: choosing({ labels: { team: "trips" } }, [mask]),
      at: applied,
    },
    {
      name: "by-reference",
      says: "has the policy that the document names itself",
      data: selected(
        governed({ policy_ref: mask }),
        [{ policy: mask, when: { annotations: { tier: "gold" } } }],
        [mask],
      ),
      at: applied,
      edge: true,
    },
  ],
  invalid: [
    { name: "by-annotation", says: "has a policy that an annotation selects", change: set(applied, [mask]) },
    {
      name: "by-annotation-besides",
      from: "by-label",
      says: "has a second policy, which an annotation selects",
      change: [...set("/registry/1/when", { annotations: { team: "hotels" } }), ...set(applied, [mask, log])],
      at: applied,
    },
    {
      name: "reference-dropped",
      from: "by-reference",
      says: "has a policy that no reference selects any longer",
      change: set("/document/constraints/governance_policies", []),
      at: applied,
    },
  ],
};

export const selectionCases: readonly Cases[] = [necessary, advisory("MAY", optional), unmentioned, noAnnotation];
