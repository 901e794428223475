import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { conditionGroups, flavourOf } from "./conditions.ts";
import { entries, escapeName, finding, get, has, list } from "./finding.ts";
import { isSchema } from "./interface.ts";
import { checkPaths } from "./paths.ts";
import { checkPolicy } from "./policy.ts";
import { unknownIn } from "./unknown.ts";
import { hasUriScheme, isStrictUri } from "./uri.ts";

// The regular expression that semver.org recommends.
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

/** The faults of one agent document that the schema accepts. */
export function* checkAgent(document: Json): Generator<TwinFinding> {
  yield* checkHead(document);
  for (const at of unknownIn(document)) {
    yield finding("COMPAT-003", at, "is unknown", "compat-003");
    if (/\/(max_cost_usd|auth|endpoint|url)$/.test(at)) yield finding("CONS-006", at, "depends", "cons-006");
  }
  yield* checkActions(document);
  yield* checkConditions(document);
  yield* checkPolicy(document);
  yield* checkPaths(document);
  const policies = list(document, "constraints", "governance_policies").map((policyReference) =>
    String(get(policyReference, "policy_ref")),
  );
  for (const [index, name] of policies.entries()) {
    const at = `/constraints/governance_policies/${index}/policy_ref`;
    if (name.split(".").length < 3) yield finding("GOV-006", at, "has fewer than three parts", "gov-006");
    else if (name.split(".").includes("")) yield finding("GOV-006", at, "has an empty part", "gov-006-empty-part");
    if (policies.indexOf(name) < index) yield finding("GOV-007", at, "is repeated", "gov-007");
  }
}

function* checkHead(document: Json): Generator<TwinFinding> {
  const [major] = String(get(document, "schema_version")).split(".").map(Number);
  if (major !== 1) yield finding("DOC-003", "/schema_version", "has another major version");
  const { metadata } = document as Record<string, Json>;
  if (!semanticVersion.test(String(get(metadata, "version"))))
    yield finding("META-004", "/metadata/version", "is not a semantic version", "meta-004");
  const homepage = get(metadata, "homepage");
  if (typeof homepage === "string" && !hasUriScheme(homepage))
    yield finding("META-007", "/metadata/homepage", "is not a URI");
  else if (typeof homepage === "string" && !isStrictUri(homepage))
    yield finding("META-007", "/metadata/homepage", "is not a URI according to RFC 3986", "meta-007-rfc3986");
  for (const side of ["input", "output"]) {
    const schema = get(document, "interface", side) as Record<string, Json>;
    const verdict = isSchema(schema);
    const freedom = { unknown: "iface-003-dialect", older: "iface-003-older", named: "iface-003-named" }[
      verdict as string
    ];
    if (verdict !== true) yield finding("IFACE-003", `/interface/${side}`, "is not a schema", freedom);
  }
}

function* checkActions(document: Json): Generator<TwinFinding> {
  for (const kind of ["local_tools", "mcp_servers", "local_agents", "remote_agents"]) {
    const siblings = list(document, "action_space", kind);
    const aliases = siblings.map((sibling) => get(sibling, "alias"));
    for (const [index, entry] of siblings.entries()) {
      const at = `/action_space/${kind}/${index}`;
      const alias = String(get(entry, "alias"));
      if (aliases.indexOf(alias) < index) yield finding("ACT-002", `${at}/alias`, "is repeated");
      if (kind === "local_agents" && ["parent", "last", "merge", "first"].includes(alias))
        yield finding("ACT-011", `${at}/alias`, "is a reserved word", "act-011");
      const names = [...list(entry, "allowed_tools"), ...list(entry, "allowed_skills")].map((item) =>
        typeof item === "string" ? item : (get(item, "name") ?? get(item, "id")),
      );
      if (new Set(names).size < names.length) yield finding("ACT-012", at, "lists a name twice", "act-012");
    }
  }
}

function* checkConditions(document: Json): Generator<TwinFinding> {
  for (const { group, at } of conditionGroups(document)) {
    if (!has(group, "args_match")) yield finding("MATCH-010", at, "has no args_match", "match-010");
    for (const [name, test] of entries(get(group, "args_match"))) {
      const place = `${at}/args_match/${escapeName(name)}`;
      if (typeof test !== "object") continue;
      const isEmpty =
        entries(test).length === 0 ||
        entries(test).some(([, operand]) => Array.isArray(operand) && operand.length === 0);
      if (isEmpty) yield finding("MATCH-010", place, "is empty", "match-010");
      const pattern = get(test, "pattern");
      const flavour = typeof pattern === "string" ? flavourOf(pattern) : "ecma";
      if (flavour === "none") yield finding("MATCH-009", place, "is not a regular expression");
      if (flavour === "other") yield finding("MATCH-009", place, "is not portable", "match-009-flavour");
    }
  }
}
