import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodes, type Protocol, type TargetConfig, TouchstoneError } from "../../schemas/index.ts";
import type { Refused } from "../mcp/index.ts";
import { protocolsMeant } from "../pack/load.ts";
import { told } from "../results/command-line.ts";
import { visible } from "../text/escape.ts";
import { guarded } from "./guarded.ts";
import { program } from "./program.ts";
import { toolsOfServer } from "./settings.ts";

/** What a command is about. */
export interface Meant {
  protocols: Protocol[];
  /** The exit code of the command, given that of the run: a tool that could not be asked is nothing to be green about. */
  ended(code: number): number;
  /** Takes away what was made for this run. */
  clear(): void;
}

/** Seconds for making the vectors of all tools, and the work on each schema, so that it is the same on every machine. */
const most = 300;
const effort = 1;

/**
 * The protocols that are meant. Of an MCP server without a protocol it is its tools, those that may be called: their vectors are made for this run.
 * Undefined where none may be called: they are printed, with how to go on.
 */
export async function meant(protocol: string, target: TargetConfig): Promise<Meant | undefined> {
  if (target.kind !== "mcp" || protocol !== toolsOfServer)
    return { protocols: await protocolsMeant(protocol), ended: (code) => code, clear: () => {} };
  const { chosen, linesOf, listedBy } = await import("../mcp/index.ts");
  const { server, tools = [] } = target;
  const listed = await listedBy(target);
  if (tools.length === 0) {
    const [first] = listed;
    const example = { ...target, tools: [first?.name ?? "NAME"] };
    const { command } = told({ program: program(), protocol: toolsOfServer, target: example });
    const lines = [
      `${listed.length} tools of ${server}. Calling has effects, so only those are called that --tool names:`,
      ...linesOf(listed),
      ...(first === undefined ? [] : ["", "Next:", `  ${command}`]),
    ];
    process.stdout.write(`${lines.map((line) => visible(line)).join("\n")}\n`);
    return undefined;
  }
  const mine = chosen(listed, tools, server);
  const others = listed.filter((tool) => !mine.includes(tool));
  if (others.length > 0)
    process.stderr.write(
      `not called: ${visible(others.map(({ name }) => name).join(", "))} (${others.length} tools)\n`,
    );
  return fromTools(mine, server);
}

async function fromTools(
  mine: Parameters<typeof import("../mcp/index.ts").documentsOf>[0],
  server: string,
): Promise<Meant> {
  const { documentsOf } = await import("../mcp/index.ts");
  const { write } = await import("../generate/make.ts");
  const folder = mkdtempSync(join(tmpdir(), "touchstone-mcp-"));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const { texts, tools, refused, notes } = await documentsOf(mine, join(folder, "listed"));
    tellRefused(refused, notes);
    if (tools.length === 0)
      throw new TouchstoneError("target", "no tool has a schema that vectors can be made of", {
        where: server,
        hint: refused.map(({ tool, why }) => `${tool}: ${why}`).join("; ") || "the server lists no tools",
      });
    const pack = join(folder, "mcp");
    write(pack, texts);
    const code = await guarded({
      seconds: most,
      least: true,
      silent: true,
      words: ["generate", pack, "--effort", String(effort)],
    });
    if (code === exitCodes.violations) process.stderr.write("the time was over: not all vectors were made\n");
    else if (code !== 0)
      throw new TouchstoneError("target", "no vectors could be made of the tools' schemas", {
        where: server,
        hint: "what is wrong stands above; leave that tool out with --tool for each of the others",
      });
    const ended = (ran: number): number => (ran === 0 && refused.length > 0 ? exitCodes.violations : ran);
    return { protocols: await protocolsMeant(pack), ended, clear };
  } catch (error) {
    clear();
    throw error;
  }
}

/** Says which tools cannot be asked, and how schemas were read that could be read in one way only. */
export function tellRefused(refused: readonly Refused[], notes: readonly string[]): void {
  for (const note of notes) process.stderr.write(`${visible(note)}\n`);
  for (const { tool, why } of refused)
    process.stderr.write(`${visible(`the tool ${tool} cannot be asked, its schema is broken: ${why}`)}\n`);
}
