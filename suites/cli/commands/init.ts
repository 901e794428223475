import { existsSync } from "node:fs";
import {
  calledBy,
  example,
  exitCodes,
  type Protocol,
  protocolNamed,
  protocolsNamed,
  readPack,
  type Side,
  type TargetConfig,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import { writePlainly } from "../../base/process/file-writer.ts";
import { programName } from "../../base/text/program.ts";
import type { CliCommand } from "../command.ts";
import type { Probe } from "../config/probe.ts";
import { repeatable } from "../options/parsers.ts";
import { type TargetOptions, targetOr, withTarget } from "../options/target.ts";
import { runGuarded } from "../process/guarded-run.ts";
import { createInterruption } from "../process/interruption.ts";
import { resolvePack } from "../sources/description.ts";

interface InitOptions extends TargetOptions {
  protocol?: string;
  schema?: string[];
  ref?: string[];
  out?: string;
  name?: string;
  agent?: string;
  force?: true;
}

const help = `
Examples:
  touchstone init --protocol ${example.protocol} --module validator.mjs
  touchstone init --protocol ${example.protocol} --command "python3 adapter.py"
  touchstone init --http http://127.0.0.1:8080 --header "Authorization: Bearer $TOKEN"
  touchstone init --http http://127.0.0.1:8080 --header "Authorization: Bearer $TOKEN" --agent bot
  touchstone init --schema order.schema.json --http http://127.0.0.1:8080    a schema of your own
  touchstone init --mcp "npx -y some-mcp-server" --tool search              a tool of an MCP server: it is called
  touchstone init                         the built-in reference, to see how it works

A few vectors are run against the target first, to see that it answers and which protocol it speaks. Nothing but the target is
contacted. The configuration is YAML with comments; touchstone run then needs no arguments.`;

export const init: CliCommand = {
  define(command) {
    withTarget(
      command
        .argument("[protocol]", "same as --protocol")
        .option(
          "--protocol <name>",
          "the protocol of the implementation, the folder of a pack, or an OpenAPI document (default: found by trying)",
        )
        .option(
          "--schema <file>",
          "a schema of your own, from which a pack is made first (repeatable)",
          repeatable(String),
        )
        .option(
          "--ref <path>",
          "with --schema: a file or folder that the schema refers to (repeatable)",
          repeatable(String),
        )
        .option("--out <dir>", "with --schema: folder of the new pack (default: ./NAME)")
        .option("--name <name>", "with --schema: name of the protocol (default: from the file's name)"),
    )
      .option("--agent <name>", "with --http: the agent that the headers belong to; it sends all messages")
      .option("--force", "overwrite an existing configuration")
      .addHelpText("after", help);
  },
  async run([protocolArgument], flags) {
    const {
      protocol: protocolOption = protocolArgument,
      force,
      schema,
      ref,
      out,
      name,
      agent,
      ...options
    } = flags as InitOptions;
    const { findConfig } = await import("../config/find.ts");
    const { configFile } = await import("../config/config-file.ts");
    const existingConfig = existsSync(configFile) ? configFile : findConfig(process.cwd());
    if (existingConfig !== undefined && force !== true) {
      throw new TouchstoneError("usage", "the configuration file exists already", {
        where: existingConfig,
        hint: "--force overwrites it",
      });
    }
    if (existingConfig !== undefined && existingConfig !== configFile) {
      throw new TouchstoneError("usage", `${configFile} would be the second configuration`, {
        where: existingConfig,
        hint: "delete this one first",
      });
    }
    const target: TargetConfig = targetOr({ kind: "reference" }, options);
    if (agent !== undefined && target.kind !== "http")
      throw new TouchstoneError("usage", "--agent needs --http", { hint: "leave it out, or name a server" });
    const credential = agent === undefined ? undefined : { agent };
    if (target.kind === "mcp" && protocolOption === undefined && schema === undefined) return writeToolsConfig(target);
    const pack = await packFrom({ schema, ref, out, name, protocol: protocolOption });
    const { probe, recognizeServer: recognize } = await import("../config/probe.ts");
    const { findEndpoints } = await import("../config/endpoints.ts");
    const packPath =
      pack ??
      (protocolOption && (await resolvePack(protocolOption))) ??
      (target.kind === "reference" ? example.protocol : undefined);
    const { signal, end } = createInterruption();
    const isGeneratedPack = protocolOption !== undefined && isDescription(protocolOption);
    const readProtocol = isGeneratedPack ? readPack : protocolNamed;
    const protocol = packPath === undefined ? undefined : readProtocol(packPath);
    const placedTarget = protocol === undefined ? target : await findEndpoints(protocol, target, signal);
    const probePromise =
      protocol === undefined
        ? recognize(placedTarget, signal, credential)
        : probe(protocol, placedTarget, { signal, credential });
    const probeResult = await probePromise.finally(end);
    await requireAnswer(probeResult, signal);
    const callName = protocol === undefined ? probeResult.protocol : calledBy(protocol);
    const protocolName = protocolOption !== undefined && isDescription(protocolOption) ? protocolOption : callName;
    const spokenProtocol =
      protocol ?? protocolsNamed("all").find((candidate) => candidate.name === probeResult.protocol);
    return writeConfig(protocolName, placedTarget, probeResult, { agent, side: defaultSide(spokenProtocol) });
  },
};

/** Writes a configuration for the named tools of an MCP server. If no tool is named, lists the tools instead. */
async function writeToolsConfig(target: Extract<TargetConfig, { kind: "mcp" }>): Promise<number> {
  const { subjectOf } = await import("../sources/subject.ts");
  const { mcpProtocol } = await import("../options/settings.ts");
  const { probe } = await import("../config/probe.ts");
  const tools = await subjectOf(mcpProtocol, target);
  if (tools === undefined) return exitCodes.usage;
  const { signal, end } = createInterruption();
  try {
    const probeResult = await probe(tools.protocols[0] as Protocol, target, { signal });
    await requireAnswer(probeResult, signal);
    return await writeConfig(mcpProtocol, target, probeResult);
  } finally {
    end();
    tools.clear();
  }
}

/** Throws a target error if the target gave no usable answer. */
async function requireAnswer(probeResult: Probe, signal: AbortSignal): Promise<void> {
  const { unusableTarget } = await import("../config/probe.ts");
  if (signal.aborted) throw new TouchstoneError("target", "interrupted", { hint: "nothing was written" });
  if (probeResult.failure !== undefined) throw unusableTarget(probeResult.failure);
  if (probeResult.answered === 0) {
    const why = probeResult.unexpectedResults[0]?.why?.split("\n")[0];
    const problem = `the implementation gave no usable answer to ${probeResult.sampleCount} vectors of ${probeResult.protocol}`;
    throw new TouchstoneError("target", `${problem}${why === undefined ? "" : `: ${why}`}`, {
      hint: "nothing was written; touchstone run shows more of its answers",
    });
  }
}

async function writeConfig(
  protocolName: string,
  target: TargetConfig,
  { protocol, conforms, sampleCount, unexpectedResults }: Probe,
  setup: { agent?: string | undefined; side?: Side | undefined } = {},
): Promise<number> {
  const { configFile, variable, writeConfiguration } = await import("../config/config-file.ts");
  writePlainly(configFile, writeConfiguration(protocolName, target, { name: protocol, ...setup }));
  const { escapeInvisible } = await import("../../base/text/escape.ts");
  const headers = target.kind === "http" || target.kind === "mcp" ? Object.keys(target.headers ?? {}) : [];
  const lines = [
    `It answers: ${conforms} of ${sampleCount} vectors of ${protocol} conform.`,
    ...unexpectedResults.map(({ id, outcome, why = "" }) => `  ${outcome}  ${id}: ${why.split("\n")[0]}`),
    `${configFile} is written. Next:`,
    ...headers.map(
      (header) =>
        `  export ${variable(header)}="…"   # the whole value of the header ${header}, such as Bearer and a token`,
    ),
    `  ${programName()} run`,
  ];
  process.stdout.write(`${lines.map((line) => escapeInvisible(line)).join("\n")}\n`);
  return 0;
}

/** The first side of a protocol, which a server usually implements. */
function defaultSide(protocol: Protocol | undefined): Side | undefined {
  return Object.values(protocol?.profile.sides ?? {})[0];
}

type PackOptions = { [K in "schema" | "ref" | "out" | "name" | "protocol"]: InitOptions[K] | undefined };

/** Generates a pack from schemas in a guarded process, and returns its folder; undefined without a schema. */
async function packFrom({ schema, ref = [], out, name, protocol }: PackOptions): Promise<string | undefined> {
  if (schema === undefined) {
    const [misplacedOption] = Object.entries({ ref: ref[0], out, name }).filter(([, value]) => value !== undefined);
    if (misplacedOption === undefined) return undefined;
    throw new TouchstoneError("usage", `--${misplacedOption[0]} needs --schema`, {
      hint: "leave it out, or name a schema",
    });
  }
  if (protocol !== undefined)
    throw new TouchstoneError("usage", "--schema and --protocol name two protocols", { hint: "give one of them" });
  const { createSkeleton } = await import("../../authoring/generate/skeleton.ts");
  const { folder } = await createSkeleton({ schemas: schema, refs: ref, name, out });
  const args = [
    ...schema.flatMap((file) => ["--schema", file]),
    ...ref.flatMap((path) => ["--ref", path]),
    ...(name === undefined ? [] : ["--name", name]),
  ];
  const code = await runGuarded({ seconds: 300, args: ["generate", ...args, "--out", folder] });
  if (code !== 0)
    throw new TouchstoneError("usage", `no complete pack was made from ${schema.join(" and ")}`, {
      hint: "the faults are listed above; nothing else was written",
    });
  return folder;
}
