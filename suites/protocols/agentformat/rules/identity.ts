import { formatHolds } from "../../../../generators/index.ts";
import type { Checker } from "../../../../schemas/index.ts";
import { textAt } from "./parts.ts";

/** The version of the schema that these rules cover. */
const [major, minor] = [1, 0];

const versionChecker: Checker = {
  rule: "AGF-DOC-003",
  documents: ["agent"],
  *check(agent) {
    const edition = editionOf(textAt(agent, "/schema_version"));
    if (edition === undefined) return;
    if (edition[0] !== major)
      yield { at: "/schema_version", why: `has major version ${edition[0]}, but only ${major} is known` };
    else if (edition[1] > minor) {
      const why = `has minor version ${edition[1]}, but only ${minor} is known: its additions are not judged`;
      yield { at: "/schema_version", why, level: "NOTE", mustPass: true };
    }
  },
};

/** The three numbers of a schema version; undefined if the schema refuses it. */
export function editionOf(text = ""): [major: number, minor: number, patch: number] | undefined {
  const [, ...numbers] = /^([0-9]+)\.([0-9]+)\.([0-9]+)$/.exec(text) ?? [];
  const [first, second, third] = numbers.map(Number);
  return first === undefined || second === undefined || third === undefined ? undefined : [first, second, third];
}

const homepageChecker: Checker = {
  rule: "AGF-META-007",
  documents: ["agent"],
  *check(agent) {
    const text = textAt(agent, "/metadata/homepage");
    if (text === undefined || formatHolds("uri", text) !== false) return;
    // URI parsers differ on the characters after a scheme, and on surrounding white space.
    const level = /^\s*[A-Za-z][A-Za-z0-9+.-]*:/.test(text) ? "SHOULD" : "MUST";
    yield { at: "/metadata/homepage", why: `is ${JSON.stringify(text)}, which is not a URI`, level };
  },
};

/** Checks a document's information about itself: its schema version and its home page. */
export const identityCheckers: readonly Checker[] = [versionChecker, homepageChecker];
