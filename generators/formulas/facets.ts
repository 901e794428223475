import { type Formula, facet, type MemberTest, type Shape } from "./formula.ts";
import { everyKind, kinds, numbers } from "./kinds.ts";

/** Demands a number with a constraint. */
export function ofNumbers(constrain: (number: Shape["number"]) => void): Formula {
  return facet(numbers, ({ number }) => constrain(number));
}

/** Demands a string with a constraint. */
export function ofStrings(constrain: (string: Shape["string"]) => void): Formula {
  return facet(kinds.string, ({ string }) => constrain(string));
}

/** Demands an array with a constraint. */
export function ofArrays(constrain: (array: Shape["array"]) => void): Formula {
  return facet(kinds.array, ({ array }) => constrain(array));
}

/** Demands an object with a constraint. */
export function ofObjects(constrain: (object: Shape["object"]) => void): Formula {
  return facet(kinds.object, ({ object }) => constrain(object));
}

/** Demands an object that has these members. */
export function requireMembers(names: readonly string[]): Formula {
  return ofObjects(({ required }) => {
    for (const name of names) required.add(name);
  });
}

/** Demands an object that lacks a member. */
export function forbidMember(name: string): Formula {
  return ofObjects(({ forbidden }) => forbidden.add(name));
}

/** Demands a value that is not an object with this member. */
export function withoutMember(name: string): Formula {
  return { op: "or", of: [forbidMember(name), { op: "kinds", kinds: everyKind & ~kinds.object }] };
}

/** Demands an object with a member that the test selects and that fulfils the formula. */
export function someMember(test: MemberTest, formula: Formula): Formula {
  return ofObjects(({ some }) => some.push({ test, formula }));
}
