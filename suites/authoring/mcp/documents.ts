import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  formatAddress,
  isObject,
  type Json,
  type JsonObject,
  kebab,
  loadSchemas,
  profileFile,
  readJson,
  TouchstoneError,
} from "../../../schemas/index.ts";
import type { ListedTool } from "../../targets/mcp/tools.ts";
import { sampleInputs } from "./typical.ts";

/** The texts of a pack with a document for each tool, and the tools without one. */
export interface ToolDocuments {
  /** The texts by path within the folder of the pack; empty if no tool has a document. */
  texts: Map<string, string>;
  /** Schemas in the pack for tools that no longer exist. */
  stale: string[];
  refused: RefusedTool[];
  notes: string[];
}

/** A tool with unreadable schemas, and the reason. */
export interface RefusedTool {
  tool: string;
  why: string;
}

/** The maximum length of a document's name. */
const maxNameLength = 80;

/**
 * Makes the schemas and the profile of a pack from listed tools. A server's list is untrusted input: each schema is read from
 * its own file beneath `scratch`, from which no other file can be reached, and a broken schema excludes only its own tool. Other members of a profile in the
 * folder of the pack, such as samples, are kept. Throws a usage error for a folder with other content.
 */
export async function documentsOf(tools: readonly ListedTool[], scratch: string, pack: string): Promise<ToolDocuments> {
  const existingPack = readProfile(pack);
  const toolDocuments: ToolDocuments = { texts: new Map(), stale: [], refused: [], notes: [] };
  const names = new Set<string>();
  const ids = new Set<string>();
  const documents: JsonObject[] = [];
  for (const [index, tool] of tools.entries()) {
    const name = uniqueName(tool.name, index, names);
    try {
      const input = await readToolSchema(tool.inputSchema, scratch, name);
      const output =
        tool.outputSchema === undefined ? [] : [await readToolSchema(tool.outputSchema, scratch, `${name}.result`)];
      for (const { id, file, schema, notes } of [input, ...output]) {
        addNewId(id, ids);
        toolDocuments.texts.set(file, toJsonText(schema));
        toolDocuments.notes.push(...notes);
      }
      const [outputSchema] = output;
      const samples = await sampleInputs(input.schema);
      documents.push({
        ...(samples.length === 0 ? {} : { samples }),
        ...existingPack.documents.find(({ file }) => file === input.file),
        name,
        title: `input of the tool ${tool.name}`,
        file: input.file,
        tool: {
          name: tool.name,
          digest: tool.digest,
          ...(outputSchema === undefined ? {} : { output: outputSchema.id }),
        },
      });
    } catch (error) {
      toolDocuments.refused.push({ tool: tool.name, why: reasonOf(error as Error, scratch) });
    }
  }
  const files = existingPack.documents
    .map(({ file }) => String(file))
    .filter((file) => /^schemas\/[a-z0-9-]+\.schema\.json$/.test(file));
  const knownFiles = files.flatMap((file) => [file, file.replace(".schema.json", ".result.schema.json")]);
  toolDocuments.stale.push(...knownFiles.filter((file) => !toolDocuments.texts.has(file)));
  if (documents.length > 0)
    toolDocuments.texts.set(
      profileFile,
      toJsonText({ $schema: formatAddress("profile"), formats: "annotate", ...existingPack.profile, documents }),
    );
  return toolDocuments;
}

/** The message on one line, without the path of the scratch folder. */
function reasonOf({ message }: Error, scratch: string): string {
  return message.replaceAll(`${scratch}/`, "").replace(/\n\s*/g, "; ");
}

/** The existing profile and documents of the pack; both are empty for a new one. */
function readProfile(pack: string): { profile: JsonObject; documents: JsonObject[] } {
  const file = join(pack, profileFile);
  if (!existsSync(pack) || readdirSync(pack).length === 0) return { profile: {}, documents: [] };
  const profile = existsSync(file) ? (readJson(readFileSync(file), file).value as JsonObject) : undefined;
  const documents = Array.isArray(profile?.documents) ? (profile.documents as JsonObject[]) : [];
  if (profile !== undefined && documents.every(({ tool }) => tool !== undefined)) return { profile, documents };
  throw new TouchstoneError("usage", `${pack} contains something other than a pack of tools`, {
    hint: "name another folder with --out",
  });
}

interface ReadSchema {
  id: string;
  file: string;
  schema: JsonObject;
  notes: string[];
}

async function readToolSchema(schema: Json, scratch: string, name: string): Promise<ReadSchema> {
  if (!isObject(schema)) throw new Error("it is not an object");
  const folder = join(scratch, name);
  mkdirSync(folder);
  const file = join(folder, `${name}.schema.json`);
  writeFileSync(file, toJsonText(schema));
  const { entry, schemas, notes } = await loadSchemas({ schema: file, upgrade: true, lenient: true });
  return {
    id: entry,
    file: `schemas/${name}.schema.json`,
    schema: schemas[0] as JsonObject,
    notes: notes.map((note) => note.replace(`${folder}/`, "")),
  };
}

function uniqueName(tool: string, index: number, usedNames: Set<string>): string {
  const plainName = kebab(tool).slice(0, maxNameLength).replace(/-$/, "") || `tool-${index + 1}`;
  let name = plainName;
  for (let suffix = 2; usedNames.has(name); suffix += 1) name = `${plainName}-${suffix}`;
  usedNames.add(name);
  return name;
}

function toJsonText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Adds the id of a schema. Throws for an existing id. */
function addNewId(id: string, ids: Set<string>): void {
  if (ids.has(id)) throw new Error(`its schema has the $id ${id}, which another tool's schema has too`);
  ids.add(id);
}
