import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { entries, finding, get, has, list } from "./finding.ts";

/** Checks which policies of a registry a run applies, and whether it starts. */
export function* checkSelection(record: Json): Generator<TwinFinding> {
  const { document, started: hasStarted } = record as Record<string, Json>;
  const metadata = get(document, "metadata") ?? {};
  const appliedPolicies = list(record, "applied");
  const registry = list(record, "registry");
  const references = list(document, "constraints", "governance_policies");
  const names = registry.map((entry) => get(entry, "policy"));
  const isRequired = (reference: Json): boolean => get(reference, "required") !== false;
  const missingReferences = references.filter(
    (reference) => isRequired(reference) && !names.includes(get(reference, "policy_ref")),
  );
  if (missingReferences.length > 0) {
    if (hasStarted === true || appliedPolicies.length > 0)
      yield finding("GOV-002", "/started", "lacks a required policy");
    return;
  }
  if (hasStarted !== true) {
    yield finding("GOV-003", "/started", "is false, but nothing prevents the run", "gov-003-not-started");
    if (appliedPolicies.length > 0) yield finding("GOV-005", "/applied", "is not empty, but the run did not start");
    return;
  }
  for (const entry of registry) {
    const policy = get(entry, "policy");
    const ownReferences = references.filter((reference) => get(reference, "policy_ref") === policy);
    const isApplied = appliedPolicies.includes(policy as Json);
    if (ownReferences.some(isRequired)) {
      if (!isApplied) yield finding("GOV-002", "/applied", `lacks ${policy}`);
    } else if (ownReferences.length > 0) {
      if (!isApplied) yield finding("GOV-003", "/applied", `leaves out ${policy}`, "gov-003-there-left-out");
    } else yield* checkRule(get(entry, "when"), metadata, isApplied);
  }
  for (const applied of appliedPolicies)
    if (!names.includes(applied)) yield finding("GOV-005", "/applied", `has ${applied}`);
}

function* checkRule(condition: Json | undefined, metadata: Json, isApplied: boolean): Generator<TwinFinding> {
  if (condition === undefined) {
    if (isApplied)
      yield finding("GOV-005", "/applied", "contains a policy that the document does not request", "gov-005-extra");
    return;
  }
  const plainMembers = ["namespace", "data_classification"].filter((name) => has(condition, name));
  const isChosen = plainMembers.length > 0 || has(condition, "labels");
  const fits =
    plainMembers.every((name) => get(condition, name) === get(metadata, name)) &&
    entries(get(condition, "labels")).every(([name, value]) => get(metadata, "labels", name) === value);
  if (has(condition, "annotations")) {
    const isMixed = isChosen && fits;
    if (isApplied)
      yield finding(
        "META-008",
        "/applied",
        "contains a policy chosen by annotation",
        isMixed ? "meta-008-mixed" : undefined,
      );
  } else if (!isChosen) {
    if (!isApplied)
      yield finding("GOV-005", "/applied", "lacks a policy whose rule has no conditions", "gov-005-empty-when");
  } else if (fits !== isApplied) yield finding("GOV-005", "/applied", "should be otherwise");
}
