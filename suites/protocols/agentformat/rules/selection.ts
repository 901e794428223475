import { type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { itemsAt, textAt } from "./parts.ts";

const documents = ["selection"];
const references = "/document/constraints/governance_policies";

const necessaryChecker: Checker = {
  rule: "AGF-GOV-002",
  documents,
  *check(selection) {
    const [first] = missingReferences(selection).filter(({ isRequired }) => isRequired);
    if (first !== undefined && pointer.at("/started", selection) === true)
      yield { at: "/started", why: `is true, although the required policy ${first.name} is nowhere to be found` };
  },
};

const optionalChecker: Checker = {
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

const unmentionedChecker: Checker = {
  rule: "AGF-GOV-005",
  documents,
  *check(selection) {
    if (pointer.at("/started", selection) !== true || !Array.isArray(pointer.at("/applied", selection))) return;
    for (const { at } of itemsAt(selection, "/registry")) {
      const name = textAt(selection, `${at}/policy`);
      if (name !== undefined && isSelected(selection, at) && !applySelection(selection).includes(name))
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
      const byAnnotation = isObject(pointer.at(`${at}/when/annotations`, selection));
      if (
        name !== undefined &&
        byAnnotation &&
        applySelection(selection).includes(name) &&
        !referencedNames.includes(name)
      )
        yield { at: "/applied", why: `has ${name}, which nothing but an annotation could select` };
    }
  },
};

/** Whether the registry selects a policy by permitted members alone; false if it also uses annotations, which are forbidden. */
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

function applySelection(selection: Json): Json[] {
  return itemsAt(selection, "/applied").map(({ value }) => value);
}

function referencesIn(selection: Json): { name: string; isRequired: boolean }[] {
  return itemsAt(selection, references).flatMap(({ at }) => {
    const name = textAt(selection, `${at}/policy_ref`);
    return name === undefined ? [] : [{ name, isRequired: pointer.at(`${at}/required`, selection) !== false }];
  });
}

/** The references to missing entries of the registry. */
function missingReferences(selection: Json): ReturnType<typeof referencesIn> {
  if (!Array.isArray(pointer.at("/registry", selection))) return [];
  const registered = itemsAt(selection, "/registry").map(({ at }) => textAt(selection, `${at}/policy`));
  return referencesIn(selection).filter(({ name }) => !registered.includes(name));
}

/** The governance policies that apply to a document, by its own references and by the registry's choice. */
export const selectionCheckers: readonly Checker[] = [
  necessaryChecker,
  optionalChecker,
  unmentionedChecker,
  annotationChecker,
];
