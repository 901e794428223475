import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { applyChanges } from "../../../../generators/index.ts";
import { type Breach, type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { loadText, plainScalar } from "./loaded.ts";
import { itemsAt, textAt } from "./parts.ts";
import { agentSchema } from "./schema.ts";

const wholeTextChecker: Checker = {
  rule: "AGF-DOC-004",
  documents: ["agent"],
  *read(bytes) {
    const text = loadText(bytes);
    if (text === undefined || "why" in text) return;
    for (const { at, pattern } of patternedPlaces(text.value)) {
      const value = textAt(text.value, at);
      if (value !== undefined && isLooseMatch(pattern, value))
        yield { at, why: `is ${JSON.stringify(value)}, which only some engines match with ${pattern}` };
    }
  },
};

/** Whether a text fits a pattern except for a line feed at its end, or for digits beyond ASCII. */
function isLooseMatch(pattern: string, text: string): boolean {
  const strict = new RegExp(pattern, "u");
  const ascii = pattern.includes("\\d") ? text.replace(/\p{Nd}/gu, "0") : text;
  return !strict.test(text) && strict.test(ascii.replace(/\n$/, ""));
}

const definitions = "/$defs";
const alias = `${definitions}/ActionSpace/properties/local_tools/items/properties/alias`;

/** The places of an agent document for which its schema has a pattern. */
function patternedPlaces(agent: Json): { at: string; pattern: string }[] {
  const patternOf = (schema: string): string => textAt(agentSchema().schema, `${schema}/pattern`) ?? "";
  const aliases = ["local_tools", "mcp_servers", "local_agents", "remote_agents"].flatMap((list) =>
    itemsAt(agent, `/action_space/${list}`).map(({ at }) => ({ at: `${at}/alias`, pattern: patternOf(alias) })),
  );
  const policies = itemsAt(agent, "/constraints/governance_policies").map(({ at }) => ({
    at: `${at}/policy_ref`,
    pattern: patternOf(`${definitions}/GovernancePolicyRef/properties/policy_ref`),
  }));
  const ownPatterns = ["id", "namespace"].map((name) => ({
    at: `/metadata/${name}`,
    pattern: patternOf(`${definitions}/Metadata/properties/${name}`),
  }));
  return [
    { at: "/schema_version", pattern: patternOf("/properties/schema_version") },
    ...ownPatterns,
    ...policies,
    ...aliases,
  ];
}

const yamlChecker: Checker = {
  rule: "AGF-DOC-005",
  documents: ["agent"],
  *read(bytes) {
    const text = loadText(bytes);
    if (text === undefined) return;
    if ("why" in text) yield { at: "", why: text.why };
    else {
      if (text.merges()) yield { at: "", why: noteOnMerging, level: "NOTE" };
      const refusedByRest = refusedPlaces(text.value);
      if (refusedByRest.length === 0) return;
      const document = text.document();
      for (const at of refusedByRest) {
        const scalar = plainScalar(document, pointer.segments(at));
        if (scalar !== undefined) yield* misreadValues(text.value, at, scalar.source ?? "");
      }
    }
  },
};

const noteOnMerging = "has the name <<, which YAML 1.1 reads as members to be merged and 1.2 as an ordinary name";

/** Finds unquoted scalars that the schema refuses but would accept as the text that is written, or as YAML 1.1 reads it. */
function* misreadValues(value: Json, at: string, source: string): Iterable<Breach> {
  const fits = (replacement: Json): boolean => {
    const changedDocument = applyChanges(value, [{ op: "replace", path: at, value: replacement }]);
    return changedDocument !== undefined && !refusedPlaces(changedDocument).includes(at);
  };
  const read = pointer.at(at, value) ?? null;
  const why = `is ${source} without quotes, which is read as ${typeof read === "string" ? "text" : JSON.stringify(read)}`;
  if (fits(olderReading(source))) yield { at, why, level: "SHOULD" };
  else if (fits(source)) yield { at, why };
}

/** The value of a scalar in YAML 1.1; a date, which JSON does not have, becomes undefined. */
function olderReading(source: string): Json {
  const value: unknown = parse(source, { version: "1.1", logLevel: "silent" });
  return ["string", "number", "boolean"].includes(typeof value) ? (value as Json) : null;
}

// Compiled once, on first use.
let refusalReader: ((value: Json) => string[]) | undefined;

/** The places that the schema refuses. */
function refusedPlaces(value: Json): string[] {
  refusalReader ??= compileJudge();
  return refusalReader(value);
}

function compileJudge(): (value: Json) => string[] {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    ownProperties: true,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  const validate = ajv.compile(agentSchema().schema);
  return (value) => {
    validate(value);
    return [...new Set((validate.errors ?? []).map(({ instancePath }) => instancePath))];
  };
}

/** Checks of a document's text, before it is parsed. */
export const textCheckers: readonly Checker[] = [wholeTextChecker, yamlChecker];
