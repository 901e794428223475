import { rmSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, isObject, type Protocol, type TargetConfig, TouchstoneError } from "../../../schemas/index.ts";
import type { RefusedTool } from "../../authoring/mcp/index.ts";
import { makeScratchFolder } from "../../base/process/scratch.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { loadVectors, type VectorSet } from "../../packs/corpus/index.ts";
import { protocolsNamedBy } from "../../packs/pack/load.ts";
import { describeCall } from "../../results/command-line.ts";
import type { McpServer } from "../../targets/mcp/server.ts";
import type { ListedTool } from "../../targets/mcp/tools.ts";
import { mcpProtocol } from "../options/settings.ts";
import { runGuarded } from "../process/guarded-run.ts";
import { resolveProtocols } from "./description.ts";

/** The protocols that a command tests, with vectors that were made for this run. */
export interface CommandSubject {
  protocols: Protocol[];
  /** The vectors, if they are made for this run: everything that a call can carry. */
  vectors?: (protocol: Protocol) => VectorSet;
  /** The exit code of the command, given that of the run: if a tool could not be tested, the command must not pass. */
  exitCodeOf(code: number): number;
  /** Removes everything that was made for this run. */
  clear(): void;
}

type McpConfig = Extract<TargetConfig, { kind: "mcp" }>;

/** The time limit for making the vectors of all tools, and the effort for each schema, which makes them the same on every machine. */
const timeLimitSeconds = 300;
const effort = 1;

/** Returns the named protocols. For an MCP server without a protocol, makes a protocol of the tools that may be called, with vectors for this run. If no tool may be called, prints the tools and the next step, and returns undefined. */
export async function subjectOf(
  protocol: string,
  target: TargetConfig,
  { vectors: makesVectors = true, operations }: { vectors?: boolean; operations?: readonly string[] | undefined } = {},
): Promise<CommandSubject | undefined> {
  if (target.kind !== "mcp" || protocol !== mcpProtocol)
    return { protocols: await resolveProtocols(protocol, { operations }), exitCodeOf: (code) => code, clear: () => {} };
  const { chooseTools, listTools, joinToolNames } = await import("../../authoring/mcp/index.ts");
  const { server, tools = [] } = target;
  const listedTools = await listTools(target);
  if (tools.length === 0) return void (await printTools(listedTools, target));
  const chosenTools = chooseTools(listedTools, tools, server);
  const uncalledTools = listedTools.filter((tool) => !chosenTools.includes(tool));
  if (uncalledTools.length > 0)
    process.stderr.write(
      `${escapeInvisible(`${countTools(uncalledTools.length)} ${uncalledTools.length === 1 ? "is" : "are"} not called: ${joinToolNames(uncalledTools)}`)}\n`,
    );
  return subjectFromTools(chosenTools, target, makesVectors);
}

function countTools(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}

/** Prints the tools, and a command that continues with one of them. */
async function printTools(listedTools: readonly ListedTool[], target: McpConfig): Promise<void> {
  const { describeTools } = await import("../../authoring/mcp/index.ts");
  const [firstTool] = listedTools;
  const next = { protocol: mcpProtocol, target: { ...target, tools: [firstTool?.name ?? ""] } };
  const lines = [
    `${countTools(listedTools.length)}. Calling a tool may have effects, so only the tools named with --tool are called:`,
    ...describeTools(listedTools),
    ...(firstTool === undefined ? [] : ["", "Next:", `  ${describeCall(next).command}`]),
  ];
  process.stdout.write(`${lines.map((line) => escapeInvisible(line)).join("\n")}\n`);
}

async function subjectFromTools(
  chosenTools: readonly ListedTool[],
  server: McpServer,
  makesVectors: boolean,
): Promise<CommandSubject> {
  const { folder, clear } = makeScratchFolder();
  try {
    const pack = join(folder, "mcp");
    const refusedTools = await packFrom(chosenTools, server, pack);
    if (makesVectors) {
      const testedCount = chosenTools.length - refusedTools.length;
      process.stderr.write(`making vectors of ${countTools(testedCount)}\n`);
      await makeVectorsOf(pack, server);
    }
    const [protocols, vectors] = [await protocolsNamedBy(pack), makesVectors ? { vectors: callableVectors } : {}];
    const emptyDocuments = makesVectors ? protocols.flatMap(findUntestable) : [];
    const exitCodeOf = (runCode: number): number =>
      runCode === 0 && refusedTools.length + emptyDocuments.length > 0 ? exitCodes.violations : runCode;
    return { protocols, ...vectors, exitCodeOf, clear };
  } catch (error) {
    clear();
    throw error;
  }
}

/** Writes a pack of tools without vectors, and returns the tools with broken schemas. Throws a target error if all are broken. */
export async function packFrom(
  tools: readonly ListedTool[],
  { server }: McpServer,
  pack: string,
): Promise<readonly RefusedTool[]> {
  const { documentsOf } = await import("../../authoring/mcp/index.ts");
  const { writeTexts } = await import("../../authoring/generate/make.ts");
  const { folder, clear } = makeScratchFolder();
  try {
    const documents = await documentsOf(tools, folder, pack);
    const brokenToolLines = documents.refused.map(
      ({ tool, why }) => `the tool ${tool} cannot be tested, its schema is broken: ${why}`,
    );
    for (const line of [...documents.notes, ...brokenToolLines]) process.stderr.write(`${escapeInvisible(line)}\n`);
    for (const path of documents.stale) rmSync(join(pack, path), { force: true });
    if (documents.texts.size > 0) writeTexts(pack, documents.texts);
    else
      throw new TouchstoneError("target", "the server lists no tool with a schema from which vectors can be made", {
        where: server,
        hint: "each tool has an inputSchema, a JSON Schema of type object",
      });
    return documents.refused;
  } finally {
    clear();
  }
}

/** Makes the vectors in a guarded process: the schemas of a server are foreign input. */
async function makeVectorsOf(pack: string, { server }: McpServer): Promise<void> {
  const args = ["generate", pack, "--effort", String(effort)];
  const partialExitCode = exitCodes.violations;
  const code = await runGuarded({ seconds: timeLimitSeconds, canReduce: true, partialExitCode, isSilent: true, args });
  if (code === exitCodes.violations) process.stderr.write("not all vectors were made\n");
  else if (code !== 0)
    throw new TouchstoneError("target", "no vectors could be made from the tools' schemas", {
      where: server,
      hint: "the faults are listed above; leave out the tool by naming the others with --tool",
    });
}

/** Lists the documents of tools that no vector tests. Prints a note if a tool has vectors but no call can carry them. */
function findUntestable(protocol: Protocol): string[] {
  const documentNames = (set: VectorSet): Set<string> => new Set(set.files.map(({ document }) => document));
  const [vectorDocuments, callableDocuments] = [
    documentNames(loadVectors(protocol)),
    documentNames(callableVectors(protocol)),
  ];
  return protocol.profile.documents.flatMap(({ name, tool }) => {
    if (callableDocuments.has(name)) return [];
    if (vectorDocuments.has(name))
      process.stderr.write(
        `${escapeInvisible(`the tool ${tool?.name} cannot be tested: its schema asserts nothing of an object, and a call carries nothing else`)}\n`,
      );
    return [name];
  });
}

/** The vectors that a call can carry: those with an object as their data. */
function callableVectors(protocol: Protocol): VectorSet {
  const set = loadVectors(protocol);
  const files = set.files.map((file) => ({ ...file, tests: file.tests.filter(({ data }) => isObject(data)) }));
  return { ...set, files: files.filter(({ tests }) => tests.length > 0) };
}
