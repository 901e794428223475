import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { itemsAt, textAt } from "./parts.ts";

const documents = ["selection"];
const references = "/document/constraints/governance_policies";

const requiredPolicyChecker: Checker = {
  rule: "AGF-GOV-002",
  documents,
  *check(selection) {
    const [first] = missingReferences(selection).filter(({ isRequired }) => isRequired);
    if (first !== undefined && pointer.at("/started", selection) === true)
      yield { at: "/started", why: `is true, although the required policy ${first.name} is missing` };
  },
};

const optionalPolicyChecker: Checker = {
  rule: "AGF-GOV-003",
  documents,
  *check(selection) {
    const missing = missingReferences(selection);
    if (
      missing.length > 0 &&
      missing.every(({ isRequired }) => !isRequired) &&
      pointer.at("/started", selection) === false
    )
      yield { at: "/started", why: `is false, although ${missing[0]?.name} is not required` };
  },
};

const registryChecker: Checker = {
  rule: "AGF-GOV-005",
  documents,
  *check(selection) {
    if (pointer.at("/started", selection) !== true || !Array.isArray(pointer.at("/applied", selection))) return;
    for (const { at } of itemsAt(selection, "/registry")) {
      const name = textAt(selection, `${at}/policy`);
      if (name !== undefined && isSelected(selection, at) && !appliedPolicies(selection).includes(name))
        yield { at: "/applied", why: `lacks ${name}, which the registry selects for this document` };
    }
  },
};

const annotationChecker: Checker = {
  rule: "AGF-META-008",
  documents,
  *check(selection) {
    const referencedNames = referencesIn(selection).map(({ name }) => name);
    for (const { at } of itemsAt(selection, "/registry")) {
      const name = textAt(selection, `${at}/policy`);
      const hasAnnotations = isObject(pointer.at(`${at}/when/annotations`, selection));
      if (
        name !== undefined &&
        hasAnnotations &&
        appliedPolicies(selection).includes(name) &&
        !referencedNames.includes(name)
      )
        yield { at: "/applied", why: `has ${name}, which only an annotation selects` };
    }
  },
};

/** Whether an entry of the registry selects its policy. False if its condition uses annotations, which are forbidden. */
function isSelected(selection: Json, entry: string): boolean {
  const condition = pointer.at(`${entry}/when`, selection);
  if (!isObject(condition) || Object.keys(condition).length === 0 || Object.hasOwn(condition, "annotations"))
    return false;
  return Object.entries(condition).every(([member, required]) => {
    const value = pointer.at(`/document/metadata/${member}`, selection);
    return isObject(required) ? hasAll(value, required) : value === required;
  });
}

function hasAll(value: Json | undefined, required: JsonObject): boolean {
  return (
    isObject(value) &&
    Object.entries(required).every(([name, text]) => Object.hasOwn(value, name) && value[name] === text)
  );
}

function appliedPolicies(selection: Json): Json[] {
  return itemsAt(selection, "/applied").map(({ value }) => value);
}

function referencesIn(selection: Json): { name: string; isRequired: boolean }[] {
  return itemsAt(selection, references).flatMap(({ at }) => {
    const name = textAt(selection, `${at}/policy_ref`);
    return name === undefined ? [] : [{ name, isRequired: pointer.at(`${at}/required`, selection) !== false }];
  });
}

/** The references to policies that the registry does not contain. */
function missingReferences(selection: Json): ReturnType<typeof referencesIn> {
  if (!Array.isArray(pointer.at("/registry", selection))) return [];
  const registered = itemsAt(selection, "/registry").map(({ at }) => textAt(selection, `${at}/policy`));
  return referencesIn(selection).filter(({ name }) => !registered.includes(name));
}

/** Checks which governance policies apply to a document: those that it references and those that the registry selects. */
export const selectionCheckers: readonly Checker[] = [
  requiredPolicyChecker,
  optionalPolicyChecker,
  registryChecker,
  annotationChecker,
];
