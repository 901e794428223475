import type { Json, JsonObject, Side, TargetConfig } from "../../../schemas/index.ts";
import { schemaPathFrom } from "../../base/format/address.ts";
import { programName, renameProgram } from "../../base/text/program.ts";
import { defaultConcurrency } from "../../targets/at-once.ts";

/** The file that `touchstone init` writes. */
export const configFile = "touchstone.config.yaml";

interface ConfigDetails {
  /** The name of the protocol, if it is given by a path. */
  name?: string;
  /** The agent that the headers belong to. */
  agent?: string | undefined;
  /** The party with which the protocol's scenarios are played. */
  side?: Side | undefined;
}

/** Writes a configuration in YAML, with comments. It can be used as it is; values of headers come from environment variables. */
export function writeConfiguration(
  protocol: string,
  target: TargetConfig,
  { name = protocol, agent, side }: ConfigDetails = {},
): string {
  const schema = schemaPathFrom("config", configFile);
  return `# yaml-language-server: $schema=${schema}
# The settings of \`${programName()} run\`. Options on the command line take precedence.
# Paths are relative to the working directory.
$schema: ${quote(schema)}

protocol: ${quote(protocol)}

# The implementation under test: module, command, http, mcp or reference.
target:
${targetLines(target)
  .map((line) => `  ${line}`)
  .join("\n")}

# Select vectors by id, path, rule or glob.
# only: [${quote(`${name}/…`)}]
# skip: ["**/raw/**"]

${renameProgram("# terminal is printed; touchstone run --help lists all formats.")}
report:
  - terminal
  - html=report/touchstone.html
  - json=report/touchstone.json

# The lowest requirement level that makes the run fail: must, should or may.
failOn: must

${renameProgram("# Known failures, each with its reason; see touchstone baseline --help.")}
# baseline: touchstone.baseline.json

# Milliseconds for one vector, and the number of vectors in flight.
# timeout: 5000
# concurrency: ${defaultConcurrency[target.kind]}
${target.kind === "http" ? `${credentialLines(agent)}${scenarioLines(new URL(target.url).origin, side)}` : ""}`;
}

/** The credentials section. The first agent is the one that the headers belong to: the server accepts only messages that it sends. */
function credentialLines(agent: string | undefined): string {
  const firstCredential = agent === undefined ? `{ agent: bot, token: "\${TOKEN_A}" }` : `{ agent: ${quote(agent)} }`;
  const comment = agent === undefined ? "# " : "";
  return `
# Agents of the server: messages name one as their sender. The first one, without a token or an apikey, owns the headers.
${comment}credentials:
${comment}  a: ${firstCredential}
#   b: { agent: other-bot, token: "\${TOKEN_B}" }
`;
}

/** The members of an HTTP hook other than its address. */
const httpHookNote = `#   # Each http hook may have a method, headers and a body too: headers: { Authorization: "Bearer \${ADMIN_TOKEN}" }
#   # A hook can also be a command, such as { command: "./restart.sh" }.`;

/** The section about scenarios, with commented options and hooks. */
function scenarioLines(origin: string, { hooks, options = {} }: Partial<Side> = {}): string {
  const optionLines = Object.entries(options).flatMap(([option, schema]) => [
    `#   # ${schema.description}`,
    `#   ${option}: ${JSON.stringify(exampleOf(schema))}`,
  ]);
  const hookLines = Object.entries(hooks ?? {}).flatMap(([hook, purpose]) => [
    `#   # ${purpose}`,
    `#   ${hook}: { http: { url: "${origin}/operator/${hook}" } }`,
  ]);
  return `
# Scenarios of several exchanges (idempotency, expiry, …), if the protocol has any. With agents and hooks, more of them can be played.
# scenarios: true
${optionLines.length === 0 ? "" : `# options:\n${optionLines.join("\n")}\n`}${hookLines.length === 0 ? "" : `# hooks:\n${httpHookNote}\n${hookLines.join("\n")}\n`}`;
}

/** A placeholder for the value of an option. */
function exampleOf({ examples, enum: allowedValues, type }: JsonObject): Json {
  const [example = type === "boolean" ? true : "…"] = (examples ?? allowedValues ?? []) as Json[];
  return example;
}

function targetLines(target: TargetConfig): string[] {
  switch (target.kind) {
    case "module":
      return ["kind: module", `file: ${quote(target.file)}`];
    case "command":
      return ["kind: command", `command: ${quote(target.command)}`];
    case "http":
      return [
        "kind: http",
        `url: ${quote(target.url)}`,
        ...headerLines(target.headers ?? {}),
        ...endpointLines(target.endpoints ?? {}),
      ];
    case "mcp":
      return [
        "kind: mcp",
        `server: ${quote(target.server)}`,
        ...(target.tools === undefined ? [] : [`tools: [${target.tools.map((tool) => quote(tool)).join(", ")}]`]),
        ...headerLines(target.headers ?? {}),
      ];
    case "hooks":
      return ["kind: hooks"];
    case "reference":
      return [
        "# The built-in one, to see how it works. Replace it by yours:",
        "#   kind: module, file: ./validator.mjs",
        '#   kind: command, command: "python3 adapter.py"',
        "#   kind: http, url: http://127.0.0.1:8080",
        "kind: reference",
        ...(target.variant === undefined ? [] : [`variant: ${quote(target.variant)}`]),
      ];
  }
}

function headerLines(headers: Record<string, string>): string[] {
  const names = Object.keys(headers);
  if (names.length === 0) return ["# headers:", `#   Authorization: "Bearer \${TOKEN}"`];
  return [
    "# The values come from the environment, so that this file contains no secret.",
    "headers:",
    ...names.map((name) => `  ${quote(name)}: "\${${variable(name)}}"`),
  ];
}

function endpointLines(endpoints: Record<string, string>): string[] {
  const entries = Object.entries(endpoints);
  return entries.length === 0
    ? []
    : ["endpoints:", ...entries.map(([name, path]) => `  ${quote(name)}: ${quote(path)}`)];
}

/** The environment variable for a header's value. */
export function variable(header: string): string {
  return header.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}

/** Quotes a string for YAML, in which a JSON string has the same meaning. */
function quote(value: string): string {
  return JSON.stringify(value);
}
