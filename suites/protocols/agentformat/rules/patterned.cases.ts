import type { Cases } from "../../../../schemas/index.ts";
import { broken, described, kept, type Parts, saying } from "./written.ts";

const aliased = (list: string, alias: string): Parts => ({
  more: [
    ...["action_space:", `  ${list}:`, `    - alias: ${alias}`],
    ...(list === "local_agents" ? ["      source: ./a.agf.yaml"] : []),
  ],
});

/** Patterns of the schema bind whole texts. */
export const patternedCases: Cases = {
  rule: "AGF-DOC-004",
  document: "agent",
  yaml: true,
  valid: [
    kept("plain", "is three numbers", {}, "/schema_version"),
    kept(
      "stripped",
      "is three numbers in a block that ends without a line feed",
      { version: "schema_version: |-\n  1.0.0" },
      "/schema_version",
      true,
    ),
    kept(
      "folded-and-stripped",
      "is three numbers in a folded block that ends without a line feed",
      { version: "schema_version: >-\n  1.0.0" },
      "/schema_version",
    ),
    kept(
      "escaped",
      "is three numbers spelt with escapes",
      { version: 'schema_version: "\\u0031.0.0"' },
      "/schema_version",
      true,
    ),
  ],
  invalid: [
    broken(
      "literal-block",
      "is a block, which ends with a line feed",
      { version: "schema_version: |\n  1.0.0" },
      "/schema_version",
      true,
    ),
    broken(
      "folded-block",
      "is a folded block, which ends with a line feed",
      { version: "schema_version: >\n  1.0.0" },
      "/schema_version",
    ),
    broken("line-feed", "has a line feed after it", { version: 'schema_version: "1.0.0\\n"' }, "/schema_version"),
    broken("arabic-digits", "has digits of the Arabic script", { version: "schema_version: ١.٠.٠" }, "/schema_version"),
    broken(
      "one-wide-digit",
      "has one digit of full width",
      { version: "schema_version: 1.0.０" },
      "/schema_version",
      true,
    ),
    broken(
      "digits-beyond-16-bits",
      "has a digit of two UTF-16 units",
      { version: "schema_version: 𝟏.0.0" },
      "/schema_version",
    ),
    broken("id", "has a line feed after it", saying('id: "trip-desk\\n"'), "/metadata/id"),
    broken(
      "namespace",
      "has a line feed after it",
      { metadata: [...described, 'namespace: "acme.trips\\n"'] },
      "/metadata/namespace",
    ),
    broken(
      "policy",
      "has a line feed after it",
      { more: ["constraints:", "  governance_policies:", '    - policy_ref: "acme.audit.log\\n"'] },
      "/constraints/governance_policies/0/policy_ref",
    ),
    ...["local_tools", "mcp_servers", "local_agents", "remote_agents"].map((list) =>
      broken(
        `alias-of-${list.replace("_", "-")}`,
        "has a line feed after it",
        aliased(list, '"book\\n"'),
        `/action_space/${list}/0/alias`,
      ),
    ),
  ],
};
