import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { isAcceptable } from "./agent.ts";
import { unknownSources } from "./aliases.ts";
import { unknownMembers } from "./members.ts";
import { itemsAt, textAt } from "./parts.ts";
import { isVendorId } from "./policy.ts";

const documents = ["reading"];
const acceptedPath = "/accepted";

const tolerantChecker: Checker = {
  rule: "AGF-COMPAT-001",
  documents,
  *check(reading) {
    if (isWronglyRefused(reading) && unknownMemberPaths(reading).length > 0)
      yield { at: acceptedPath, why: "is false, although a parser must ignore unknown members" };
  },
};

const reportChecker: Checker = {
  rule: "AGF-COMPAT-003",
  documents,
  *check(reading) {
    if (!isObject(pointer.at("/document", reading))) return;
    const unknownPaths = unknownMemberPaths(reading);
    yield* findMisreported(reading, unknownPaths);
    if (textAt(reading, "/mode") === "strict" && unknownPaths.length > 0 && pointer.at(acceptedPath, reading) === true)
      yield { at: acceptedPath, why: `is true in strict mode, despite the unknown member ${unknownPaths[0]}` };
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
      yield { at, why: `is ${value}, which is a known member` };
}

const anySourceChecker: Checker = {
  rule: "AGF-ACT-004",
  documents,
  *check(reading) {
    const [unknownSource] = unknownSources(pointer.at("/document", reading) ?? null);
    if (unknownSource !== undefined && isWronglyRefused(reading))
      yield {
        at: acceptedPath,
        why: `is false, although a runtime may support the source type ${JSON.stringify(unknownSource.value)}`,
      };
  },
};

const anyVendorChecker: Checker = {
  rule: "AGF-POL-004",
  documents,
  *check(reading) {
    const id = textAt(reading, "/document/execution_policy/id");
    if (id !== undefined && isVendorId(id) && isWronglyRefused(reading))
      yield { at: acceptedPath, why: `is false, although a vendor may define the policy ${id}` };
  },
};

/** Whether a parser refused a document that breaks no MUST rule. */
function isWronglyRefused(reading: Json): boolean {
  const isRefused = textAt(reading, "/mode") === "parser" && pointer.at(acceptedPath, reading) === false;
  return isRefused && isAcceptable(pointer.at("/document", reading) ?? null);
}

function unknownMemberPaths(reading: Json): string[] {
  return unknownMembers(pointer.at("/document", reading) ?? null).map(({ at }) => at);
}

/** Checks the result of a parser, or of a tool in strict mode, for a document. */
export const readingCheckers: readonly Checker[] = [tolerantChecker, reportChecker, anySourceChecker, anyVendorChecker];
