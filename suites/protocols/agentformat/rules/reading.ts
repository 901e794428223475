import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { isAcceptable } from "./agent.ts";
import { strangeSources } from "./aliases.ts";
import { unknownMembers } from "./members.ts";
import { itemsAt, textAt } from "./parts.ts";
import { isVendorId } from "./policy.ts";

const documents = ["reading"];
const acceptedPath = "/accepted";

const tolerantChecker: Checker = {
  rule: "AGF-COMPAT-001",
  documents,
  *check(reading) {
    if (isWronglyRefused(reading) && strangersIn(reading).length > 0)
      yield { at: acceptedPath, why: "is false, and yet a parser lets members pass that it does not know" };
  },
};

const remarkChecker: Checker = {
  rule: "AGF-COMPAT-003",
  documents,
  *check(reading) {
    if (!isObject(pointer.at("/document", reading))) return;
    const strangers = strangersIn(reading);
    yield* findMisreported(reading, strangers);
    if (textAt(reading, "/mode") === "strict" && strangers.length > 0 && pointer.at(acceptedPath, reading) === true)
      yield { at: acceptedPath, why: `is true in strict mode, in spite of ${strangers[0]}` };
  },
};

function* findMisreported(reading: Json, strangers: readonly string[]): Iterable<Breach> {
  if (!Array.isArray(pointer.at("/unknown_members", reading))) return;
  const reportedMembers = itemsAt(reading, "/unknown_members");
  for (const place of strangers)
    if (!reportedMembers.some(({ value }) => value === place))
      yield { at: "/unknown_members", why: `does not report ${place}` };
  for (const { at, value } of reportedMembers)
    if (typeof value === "string" && !strangers.includes(value))
      yield { at, why: `is ${value}, although nothing is unknown` };
}

const anySourceChecker: Checker = {
  rule: "AGF-ACT-004",
  documents,
  *check(reading) {
    const [unknownSource] = strangeSources(pointer.at("/document", reading) ?? null);
    if (unknownSource !== undefined && isWronglyRefused(reading))
      yield {
        at: acceptedPath,
        why: `is false, and yet a source of type ${JSON.stringify(unknownSource.value)} may be known to a runtime`,
      };
  },
};

const anyVendorChecker: Checker = {
  rule: "AGF-POL-004",
  documents,
  *check(reading) {
    const id = textAt(reading, "/document/execution_policy/id");
    if (id !== undefined && isVendorId(id) && isWronglyRefused(reading))
      yield { at: acceptedPath, why: `is false, and yet the policy ${id} is its vendor's own` };
  },
};

/** Whether a parser refused a document that breaks no rule, except perhaps by features that its reader does not know. */
function isWronglyRefused(reading: Json): boolean {
  const isRefused = textAt(reading, "/mode") === "parser" && pointer.at(acceptedPath, reading) === false;
  return isRefused && isAcceptable(pointer.at("/document", reading) ?? null);
}

function strangersIn(reading: Json): string[] {
  return unknownMembers(pointer.at("/document", reading) ?? null).map(({ at }) => at);
}

/** The result of a parser, or of a tool in strict mode, for a document. */
export const readingCheckers: readonly Checker[] = [tolerantChecker, remarkChecker, anySourceChecker, anyVendorChecker];
