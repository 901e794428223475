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
    const loaded = loadText(bytes);
    if (loaded === undefined || "why" in loaded) return;
    for (const { at, pattern } of placesWithPattern(loaded.value)) {
      const value = textAt(loaded.value, at);
      if (value !== undefined && isLooseMatch(pattern, value))
        yield { at, why: `is ${JSON.stringify(value)}, which only some engines match with ${pattern}` };
    }
  },
};

/** Whether a string fails a pattern only because of a line feed at its end, or of digits beyond ASCII. */
function isLooseMatch(pattern: string, text: string): boolean {
  const strict = new RegExp(pattern, "u");
  const ascii = pattern.includes("\\d") ? text.replace(/\p{Nd}/gu, "0") : text;
  return !strict.test(text) && strict.test(ascii.replace(/\n$/, ""));
}

const definitions = "/$defs";
const aliasSchema = `${definitions}/ActionSpace/properties/local_tools/items/properties/alias`;

/** JSON Pointers to the strings of an agent document that must match a pattern of the schema. */
function placesWithPattern(agent: Json): { at: string; pattern: string }[] {
  const patternOf = (schema: string): string => textAt(agentSchema().schema, `${schema}/pattern`) ?? "";
  const aliases = ["local_tools", "mcp_servers", "local_agents", "remote_agents"].flatMap((list) =>
    itemsAt(agent, `/action_space/${list}`).map(({ at }) => ({ at: `${at}/alias`, pattern: patternOf(aliasSchema) })),
  );
  const policies = itemsAt(agent, "/constraints/governance_policies").map(({ at }) => ({
    at: `${at}/policy_ref`,
    pattern: patternOf(`${definitions}/GovernancePolicyRef/properties/policy_ref`),
  }));
  const metadata = ["id", "namespace"].map((name) => ({
    at: `/metadata/${name}`,
    pattern: patternOf(`${definitions}/Metadata/properties/${name}`),
  }));
  return [
    { at: "/schema_version", pattern: patternOf("/properties/schema_version") },
    ...metadata,
    ...policies,
    ...aliases,
  ];
}

const yamlChecker: Checker = {
  rule: "AGF-DOC-005",
  documents: ["agent"],
  *read(bytes) {
    const loaded = loadText(bytes);
    if (loaded === undefined) return;
    if ("why" in loaded) yield { at: "", why: loaded.why };
    else {
      if (loaded.hasMergeKey()) yield { at: "", why: noteOnMerging, level: "NOTE" };
      const refused = refusedPlaces(loaded.value);
      if (refused.length === 0) return;
      const document = loaded.document();
      for (const at of refused) {
        const scalar = plainScalar(document, pointer.segments(at));
        if (scalar !== undefined) yield* findMisread(loaded.value, at, scalar.source ?? "");
      }
    }
  },
};

const noteOnMerging = "has the key <<, which merges members in YAML 1.1 and is an ordinary key in YAML 1.2";

/** Finds unquoted scalars that the schema refuses, but would accept as a string or as YAML 1.1 reads them. */
function* findMisread(value: Json, at: string, source: string): Iterable<Breach> {
  const isAccepted = (replacement: Json): boolean => {
    const changedDocument = applyChanges(value, [{ op: "replace", path: at, value: replacement }]);
    return changedDocument !== undefined && !refusedPlaces(changedDocument).includes(at);
  };
  const parsedValue = pointer.at(at, value) ?? null;
  const why = `is ${source} without quotes, which is read as ${typeof parsedValue === "string" ? "text" : JSON.stringify(parsedValue)}`;
  if (isAccepted(readAsYaml11(source))) yield { at, why, level: "SHOULD" };
  else if (isAccepted(source)) yield { at, why };
}

/** The value of a scalar in YAML 1.1; null for a date, which JSON does not have. */
function readAsYaml11(source: string): Json {
  const value: unknown = parse(source, { version: "1.1", logLevel: "silent" });
  return ["string", "number", "boolean"].includes(typeof value) ? (value as Json) : null;
}

// Compiled once, on first use.
let findRefusals: ((value: Json) => string[]) | undefined;

/** JSON Pointers to the values that the schema refuses. */
function refusedPlaces(value: Json): string[] {
  findRefusals ??= compileRefusals();
  return findRefusals(value);
}

function compileRefusals(): (value: Json) => string[] {
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

/** Checks of a document's source text, before it is parsed. */
export const textCheckers: readonly Checker[] = [wholeTextChecker, yamlChecker];
