import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject, kebab, originsFile, pointer, shownPath, TouchstoneError } from "../../../schemas/index.ts";
import { importModule } from "../../base/import/module-import.ts";
import { makeScratchFolder } from "../../base/process/scratch.ts";
import { createSkeleton, type PackRequest, type Skeleton } from "./skeleton.ts";

/** The members of a schema library's schemas that are used here. */
interface DescribedModule {
  "~standard": {
    vendor: string;
    jsonSchema?: { input(options: { target: string; libraryOptions?: object }): unknown };
  };
  toJsonSchema?(): unknown;
}

/** Makes the data of a pack from the schemas that a module exports: schemas of Zod, ArkType, Valibot or any library that offers Standard JSON Schema. The schemas are the default export (one schema, or several by name) or the named exports. Throws a usage error for a module without any. */
export async function moduleSkeleton(file: string, request: Omit<PackRequest, "schemas" | "refs">): Promise<Skeleton> {
  const refinements: Refinements = [];
  const schemas = await exportedSchemas(file, refinements);
  const { folder, clear } = makeScratchFolder();
  try {
    const files: string[] = [];
    for (const [name, schema] of schemas) {
      const path = join(folder, `${name}.schema.json`);
      writeFileSync(path, `${JSON.stringify(schema, null, 2)}\n`);
      files.push(path);
    }
    const name = request.name ?? (request.out === undefined ? nameOf(file) : undefined);
    const skeleton = await createSkeleton({
      ...request,
      ...(name === undefined ? {} : { name }),
      schemas: files,
      refs: [],
    });
    const notes = skeleton.notes.map((note) =>
      note.replaceAll(`${shownPath(folder)}/`, `${shownPath(resolve(file))}: `),
    );
    // The place in the module is unknown, so messages name the pack's own files.
    skeleton.texts.delete(originsFile);
    return {
      ...skeleton,
      notes: [...notes, ...describeRefinements(refinements, shownPath(resolve(file)))],
      source: () => undefined,
    };
  } finally {
    clear();
  }
}

async function exportedSchemas(file: string, refinements: Refinements): Promise<Map<string, unknown>> {
  const path = resolve(file);
  if (!existsSync(path))
    throw new TouchstoneError("usage", `the file "${file}" does not exist`, {
      hint: "give a module that exports schemas",
    });
  const url = pathToFileURL(path);
  const moduleExports = await importModule(url).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TouchstoneError("usage", `the module cannot be imported: ${why}`, {
      where: file,
      hint: "correct the module",
      cause,
    });
  });
  const { default: defaultExport, ...namedExports } = moduleExports;
  const namedValues: [string, unknown][] = isDescribed(defaultExport)
    ? [[nameOf(file), defaultExport]]
    : [...(isObject(defaultExport) ? Object.entries(defaultExport) : []), ...Object.entries(namedExports)];
  const schemas = new Map<string, unknown>();
  for (const [name, value] of namedValues) {
    if (!isDescribed(value)) continue;
    const schemaName = kebab(name) || `schema-${schemas.size + 1}`;
    if (!schemas.has(schemaName)) schemas.set(schemaName, await inputSchemaOf(value, name, url, refinements));
  }
  if (schemas.size > 0) return schemas;
  throw new TouchstoneError("usage", "the module does not export a schema of a supported library", {
    where: file,
    hint: "export schemas of Zod, ArkType, Valibot or another library of Standard JSON Schema, by default or by name",
  });
}

function nameOf(file: string): string {
  return kebab(basename(file).replace(/(\.schema)?\.\w+$/, "")) || "schema";
}

function isDescribed(value: unknown): value is DescribedModule {
  const isObjectOrFunction = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObjectOrFunction && isObject((value as Partial<DescribedModule>)["~standard"]);
}

/** Refinements in Zod schemas, which their JSON Schema does not contain: the name of the schema, and the place in it. */
type Refinements = { name: string; at: string }[];

/** Records the parts that Zod leaves out of its JSON Schema. Other libraries throw if they cannot express a part. */
function noteUnexpressed(name: string, refinements: Refinements): { override(zodWritten: ZodOverride): void } {
  return {
    override({ zodSchema, path }) {
      const checks = zodSchema?._zod?.def?.checks ?? [];
      if (!checks.some((check) => check._zod?.def?.check === "custom")) return;
      refinements.push({ name, at: (path ?? []).reduce<string>(pointer.append, "") });
    },
  };
}

interface ZodOverride {
  zodSchema?: { _zod?: { def?: { checks?: { _zod?: { def?: { check?: string } } }[] } } };
  path?: (string | number)[];
}

/** The maximum number of places named. */
const maxPlaces = 3;

function describeRefinements(refinements: Refinements, file: string): string[] {
  const places = [...new Set(refinements.map(({ name, at }) => `${name}${at === "" ? "" : ` ${at}`}`))];
  if (places.length === 0) return [];
  const hiddenCount = places.length - maxPlaces;
  const placesText = `${places.slice(0, maxPlaces).join(", ")}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ""}`;
  return [
    `${file}: a refinement (such as .refine) is not part of the JSON Schema: ${placesText}. Vectors do not cover it, and a validator that applies it refuses valid ones: use .min, .max, .regex and the like, which JSON Schema has, or expect this`,
  ];
}

/** The input of a schema, as JSON Schema. */
async function inputSchemaOf(
  value: DescribedModule,
  name: string,
  url: URL,
  refinements: Refinements,
): Promise<unknown> {
  const { vendor, jsonSchema } = value["~standard"];
  try {
    const zod = vendor === "zod" ? noteUnexpressed(name, refinements) : undefined;
    if (jsonSchema !== undefined)
      return jsonSchema.input({ target: "draft-2020-12", ...(zod === undefined ? {} : { libraryOptions: zod }) });
    if (typeof value.toJsonSchema === "function") return value.toJsonSchema();
    const [library = "", functionName = ""] = schemaWriters[vendor] ?? [];
    const write = (await import(pathToFileURL(createRequire(url).resolve(library)).href))[functionName];
    return write(value, zod !== undefined ? { io: "input", ...zod } : { typeMode: "input" });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new TouchstoneError("usage", `${name} cannot be written as JSON Schema: ${why}`, {
      where: shownPath(resolve(decodeURIComponent(url.pathname))),
      hint:
        vendor === "valibot"
          ? "install @valibot/to-json-schema beside it"
          : "leave out the parts that JSON Schema cannot express",
      cause,
    });
  }
}

/** Libraries that write JSON Schema for schemas without their own method. */
const schemaWriters: Readonly<Record<string, readonly [library: string, name: string]>> = {
  zod: ["zod", "toJSONSchema"],
  valibot: ["@valibot/to-json-schema", "toJsonSchema"],
};
