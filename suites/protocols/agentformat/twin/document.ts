import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { flavourOf, groups } from "./conditions.ts";
import { entries, escapeName, finding, get, has, list } from "./finding.ts";
import { isSchema } from "./interface.ts";
import { paths } from "./paths.ts";
import { policy } from "./policy.ts";
import { unknownIn } from "./unknown.ts";
import { isUri } from "./uri.ts";

const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

/** The faults of one agent document that the schema accepts. */
export function* agent(document: Json): Generator<TwinFinding> {
  yield* head(document);
  for (const at of unknownIn(document)) {
    yield finding("COMPAT-003", at, "is unknown", "compat-003");
    if (/\/(max_cost_usd|auth|endpoint|url)$/.test(at)) yield finding("CONS-006", at, "depends", "cons-006");
  }
  yield* actions(document);
  yield* conditions(document);
  yield* policy(document);
  yield* paths(document);
  const policies = list(document, "constraints", "governance_policies").map((each) => String(get(each, "policy_ref")));
  for (const [index, name] of policies.entries()) {
    const at = `/constraints/governance_policies/${index}/policy_ref`;
    if (name.split(".").length < 3) yield finding("GOV-006", at, "has few parts", "gov-006");
    else if (name.split(".").includes("")) yield finding("GOV-006", at, "has an empty part", "gov-006-empty-part");
    if (policies.indexOf(name) < index) yield finding("GOV-007", at, "is there again", "gov-007");
  }
}

function* head(document: Json): Generator<TwinFinding> {
  const [major] = String(get(document, "schema_version")).split(".").map(Number);
  if (major !== 1) yield finding("DOC-003", "/schema_version", "is another major");
  const { metadata } = document as Record<string, Json>;
  if (!semver.test(String(get(metadata, "version"))))
    yield finding("META-004", "/metadata/version", "is no semantic version", "meta-004");
  const homepage = get(metadata, "homepage");
  if (typeof homepage === "string" && !isUri(homepage, false))
    yield finding("META-007", "/metadata/homepage", "is no URI");
  else if (typeof homepage === "string" && !isUri(homepage, true))
    yield finding("META-007", "/metadata/homepage", "is no URI by the letter", "meta-007-rfc3986");
  for (const side of ["input", "output"]) {
    const schema = get(document, "interface", side) as Record<string, Json>;
    const verdict = isSchema(schema);
    const freedom = { unknown: "iface-003-dialect", older: "iface-003-older", named: "iface-003-named" }[
      verdict as string
    ];
    if (verdict !== true) yield finding("IFACE-003", `/interface/${side}`, "is no schema", freedom);
  }
}

function* actions(document: Json): Generator<TwinFinding> {
  for (const kind of ["local_tools", "mcp_servers", "local_agents", "remote_agents"]) {
    const all = list(document, "action_space", kind);
    const aliases = all.map((each) => get(each, "alias"));
    for (const [index, entry] of all.entries()) {
      const at = `/action_space/${kind}/${index}`;
      const alias = String(get(entry, "alias"));
      if (aliases.indexOf(alias) < index) yield finding("ACT-002", `${at}/alias`, "is there twice");
      if (kind === "local_agents" && ["parent", "last", "merge", "first"].includes(alias))
        yield finding("ACT-011", `${at}/alias`, "is a word of the language", "act-011");
      const names = [...list(entry, "allowed_tools"), ...list(entry, "allowed_skills")].map((item) =>
        typeof item === "string" ? item : (get(item, "name") ?? get(item, "id")),
      );
      if (new Set(names).size < names.length) yield finding("ACT-012", at, "allows one twice", "act-012");
    }
  }
}

function* conditions(document: Json): Generator<TwinFinding> {
  for (const { group, at } of groups(document)) {
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
      if (flavour === "none") yield finding("MATCH-009", place, "is no regular expression");
      if (flavour === "other") yield finding("MATCH-009", place, "is not portable", "match-009-flavour");
    }
  }
}
