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
# What \`${programName()} run\` does without arguments. Options of the command line take precedence.
# Paths are relative to the folder in which it is run.
$schema: ${text(schema)}

protocol: ${text(protocol)}

# The implementation under test: module, command, http, mcp or reference.
target:
${targetLines(target)
  .map((line) => `  ${line}`)
  .join("\n")}

# Begin with a part, by id, path, rule or glob.
# only: [${text(`${name}/…`)}]
# skip: ["**/raw/**"]

${renameProgram("# terminal goes to the screen; touchstone run --help names all formats.")}
report:
  - terminal
  - html=report/touchstone.html
  - json=report/touchstone.json

# Least level whose breach fails: must, should or may.
failOn: must

${renameProgram("# Known failures, each with its reason; touchstone baseline --help says more.")}
# baseline: touchstone.baseline.json

# Milliseconds for one vector, and vectors at once.
# timeout: 5000
# concurrency: ${defaultConcurrency[target.kind]}
${target.kind === "http" ? `${credentialLines(agent)}${scenarioLines(new URL(target.url).origin, side)}` : ""}`;
}

/** The credentials section. The first agent is the one that the headers belong to: the server accepts only messages that it sends. */
function credentialLines(agent: string | undefined): string {
  const firstCredential = agent === undefined ? `{ agent: bot, token: "\${TOKEN_A}" }` : `{ agent: ${text(agent)} }`;
  const comment = agent === undefined ? "# " : "";
  return `
# Agents of the server: the sender that messages name. Without a token or an apikey the first is the agent whose the headers are.
${comment}credentials:
${comment}  a: ${firstCredential}
#   b: { agent: other-bot, token: "\${TOKEN_B}" }
`;
}

/** The members of an HTTP hook other than its address. */
const httpHookNote = `#   # Each http hook may have a method, headers and a body too: headers: { Authorization: "Bearer \${ADMIN_TOKEN}" }
#   # A command will do as well, such as { command: "./restart.sh" }.`;

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
# Stories of several exchanges (idempotency, expiry, …), for protocols that have some. Agents and hooks let more of them be played.
# scenarios: true
${optionLines.length === 0 ? "" : `# options:\n${optionLines.join("\n")}\n`}${hookLines.length === 0 ? "" : `# hooks:\n${httpHookNote}\n${hookLines.join("\n")}\n`}`;
}

/** A placeholder for the value of an option. */
function exampleOf({ examples, enum: words, type }: JsonObject): Json {
  const [example = type === "boolean" ? true : "…"] = (examples ?? words ?? []) as Json[];
  return example;
}

function targetLines(target: TargetConfig): string[] {
  switch (target.kind) {
    case "module":
      return ["kind: module", `file: ${text(target.file)}`];
    case "command":
      return ["kind: command", `command: ${text(target.command)}`];
    case "http":
      return [
        "kind: http",
        `url: ${text(target.url)}`,
        ...headerLines(target.headers ?? {}),
        ...endpointLines(target.endpoints ?? {}),
      ];
    case "mcp":
      return [
        "kind: mcp",
        `server: ${text(target.server)}`,
        ...(target.tools === undefined ? [] : [`tools: [${target.tools.map((tool) => text(tool)).join(", ")}]`]),
        ...headerLines(target.headers ?? {}),
      ];
    case "hooks":
      return ["kind: hooks"];
    case "reference":
      return [
        "# The built-in one, to see how it works. Put yours in its place:",
        "#   kind: module, file: ./validator.mjs",
        '#   kind: command, command: "python3 adapter.py"',
        "#   kind: http, url: http://127.0.0.1:8080",
        "kind: reference",
        ...(target.variant === undefined ? [] : [`variant: ${text(target.variant)}`]),
      ];
  }
}

function headerLines(headers: Record<string, string>): string[] {
  const names = Object.keys(headers);
  if (names.length === 0) return ["# headers:", `#   Authorization: "Bearer \${TOKEN}"`];
  return [
    "# From the environment, so that no secret is in this file.",
    "headers:",
    ...names.map((name) => `  ${text(name)}: "\${${variable(name)}}"`),
  ];
}

function endpointLines(endpoints: Record<string, string>): string[] {
  const entries = Object.entries(endpoints);
  return entries.length === 0 ? [] : ["endpoints:", ...entries.map(([name, path]) => `  ${text(name)}: ${text(path)}`)];
}

/** The environment variable for a header's value. */
export function variable(header: string): string {
  return header.toUpperCase().replace(/[^A-Z0-9]/g, "_");
}

/** Quotes a text for YAML: a JSON string means the same there. */
function text(value: string): string {
  return JSON.stringify(value);
}
