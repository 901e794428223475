import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  formatAddress,
  isObject,
  type Json,
  type JsonObject,
  kebab,
  loadSchemas,
  profileFile,
} from "../../schemas/index.ts";
import type { ListedTool } from "../targets/mcp/tools.ts";

/** The texts of a pack that has a document for each tool, and the tools of which none can be made. */
export interface ToolDocuments {
  /** By path within the folder of the pack. */
  texts: Map<string, string>;
  /** The names of the tools that have a document. */
  tools: string[];
  refused: Refused[];
  notes: string[];
}

/** A tool whose schemas cannot be read, and why. */
export interface Refused {
  tool: string;
  why: string;
}

/** Characters of a document's name. */
const longestName = 80;

/**
 * Makes the schemas and the profile of a pack from listed tools. What a server lists is no better than any other input: each schema is read from a
 * file of its own beneath `folder`, from which nothing else is reached, and one that is broken costs its own tool alone.
 */
export async function documentsOf(listed: readonly ListedTool[], folder: string): Promise<ToolDocuments> {
  const made: ToolDocuments = { texts: new Map(), tools: [], refused: [], notes: [] };
  const names = new Set<string>();
  const ids = new Set<string>();
  const documents: Json[] = [];
  for (const [index, tool] of listed.entries()) {
    const name = nameFor(tool.name, index, names);
    try {
      const input = await read(tool.inputSchema, join(folder, name), name, made.notes);
      const output =
        tool.outputSchema === undefined
          ? undefined
          : await read(tool.outputSchema, join(folder, `${name}.result`), `${name}.result`, made.notes);
      for (const { id } of output === undefined ? [input] : [input, output]) {
        if (ids.has(id)) throw new Error(`its schema has the $id ${id}, which another one has`);
        ids.add(id);
      }
      made.texts.set(fileFor(name), text(input.schema));
      if (output !== undefined) made.texts.set(fileFor(`${name}.result`), text(output.schema));
      documents.push({
        name,
        title: `input of the tool ${tool.name}`,
        file: fileFor(name),
        tool: { name: tool.name, digest: tool.digest, ...(output === undefined ? {} : { output: output.id }) },
      });
      made.tools.push(tool.name);
    } catch (error) {
      made.refused.push({ tool: tool.name, why: (error as Error).message });
    }
  }
  if (documents.length > 0)
    made.texts.set(
      profileFile,
      text({
        $schema: formatAddress("profile"),
        protocol: "mcp",
        title: "Tools of an MCP server",
        formats: "annotate",
        documents,
      }),
    );
  return made;
}

async function read(
  schema: Json,
  folder: string,
  name: string,
  notes: string[],
): Promise<{ id: string; schema: JsonObject }> {
  if (!isObject(schema)) throw new Error("its schema is no object");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.schema.json`);
  writeFileSync(file, text(schema));
  const loaded = await loadSchemas({ schema: file, upgrade: true, lenient: true });
  notes.push(...loaded.notes.map((note) => note.replace(`${folder}/`, "")));
  return { id: loaded.entry, schema: loaded.schemas[0] as JsonObject };
}

function fileFor(name: string): string {
  return `schemas/${name}.schema.json`;
}

function nameFor(tool: string, index: number, taken: Set<string>): string {
  const plain = kebab(tool).slice(0, longestName).replace(/-$/, "") || `tool-${index + 1}`;
  let name = plain;
  for (let number = 2; taken.has(name); number += 1) name = `${plain}-${number}`;
  taken.add(name);
  return name;
}

function text(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
