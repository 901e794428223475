import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type Document,
  filesIn,
  type Json,
  type JsonObject,
  type LoadedSchemas,
  loadSchemas,
  type Manifest,
  type Protocol,
  profileFile,
  protocolsNamed,
  readWhole,
  type Source,
  schemasMeant,
  sourceIn,
  TouchstoneError,
  type VectorFile,
} from "../../../schemas/index.ts";
import { loadVectors, missingLine, vectorsFolder } from "../../packs/corpus/index.ts";
import { readTests } from "./tests.ts";

/** The tests of one schema, ready to be measured. */
export interface TestSet {
  name: string;
  schemas: readonly JsonObject[];
  /** The `$id` of the schema. */
  schema: string;
  /** The document that the schema describes, if the protocol has other documents with separate sets. */
  document?: readonly [Protocol, Document];
  tests: { name: string; data: Json; valid: boolean; site?: string }[];
  known?: Manifest["documents"][number]["forcing"];
  /** Whether its values are sent as text. */
  asText?: boolean;
  /** The file and line of a location in the schemas, if known. */
  source?(location: string): Source | undefined;
}

export interface TestSetRequest {
  /** The given name: a protocol, a folder of vectors, or a file or folder of a user's tests. */
  input: string;
  schema?: string;
  refs?: readonly string[];
  /** Called with a line about the documents of a pack that have no vectors yet. */
  warn?: (line: string) => void;
}

/** Reads the named sets. Throws a usage error for a name that is neither a path nor a protocol, and for tests without a known schema. */
export async function readTestSets({ input, schema, refs = [], warn }: TestSetRequest): Promise<TestSet[]> {
  if (schema !== undefined) await requireOneSchema(schema);
  const loadedSchema =
    schema === undefined ? undefined : await loadSchemas({ schema, refs, upgrade: true, lenient: true });
  if (isProtocol(input)) {
    const protocols = findProtocols(input, schema);
    return protocols.flatMap((protocol) => {
      loadVectors(protocol);
      const missingNote = missingLine(protocol);
      if (missingNote !== "") warn?.(missingNote);
      return testSetsIn(
        vectorsFolder(protocol),
        (document) => document.protocol === protocol.name,
        undefined,
        protocol,
      );
    });
  }
  if (statSync(input).isDirectory() && existsSync(join(input, "MANIFEST.json"))) {
    const sets = testSetsIn(input, () => true, loadedSchema);
    if (sets.length > 0) return sets;
    throw new TouchstoneError("usage", "the manifest lists no document", { where: join(input, "MANIFEST.json") });
  }
  if (loadedSchema === undefined) {
    throw new TouchstoneError("usage", `"${input}" does not name the schema of its tests`, {
      hint: "name it with --schema FILE",
    });
  }
  const { entry, schemas, source } = loadedSchema;
  return [{ name: input, schemas, schema: entry, source, tests: await readTests(input) }];
}

/** Throws a usage error unless one schema is named, since tests are for one schema. */
async function requireOneSchema(schema: string): Promise<void> {
  const [firstDefinition = "", ...otherDefinitions] = await schemasMeant(schema);
  if (otherDefinitions.length === 0) return;
  throw new TouchstoneError(
    "usage",
    `"${schema}" asserts nothing, and has ${otherDefinitions.length + 1} definitions`,
    {
      hint: `name the definition that the tests are for, such as ${firstDefinition}`,
    },
  );
}

/** Finds the protocols with a name. Throws a usage error if the name is neither a protocol nor a path; with a schema, the error is that the tests are missing. */
function findProtocols(input: string, schema: string | undefined): readonly Protocol[] {
  try {
    return protocolsNamed(input);
  } catch (error) {
    if (schema === undefined || existsSync(input)) throw error;
    const hint = "name the file or folder with the tests";
    throw new TouchstoneError("usage", `the file or folder "${input}" does not exist`, { hint, cause: error });
  }
}

/** Whether it is the name of a protocol, or the folder of a pack. */
function isProtocol(input: string): boolean {
  return !existsSync(input) || basename(input) === profileFile || existsSync(join(input, profileFile));
}

type Schemas = Pick<TestSet, "schemas" | "schema" | "document" | "source" | "asText">;

function testSetsIn(
  folder: string,
  isWanted: (document: Manifest["documents"][number]) => boolean,
  loadedSchema?: Pick<LoadedSchemas, "entry" | "schemas" | "source">,
  pack?: Protocol,
): TestSet[] {
  const readSetFile = filesIn(folder);
  const { documents, files } = readTestFile(join(folder, "MANIFEST.json")) as Manifest;
  const wantedDocuments = documents.filter(isWanted);
  // Tests of another schema do not measure the given one.
  const entryDocuments = wantedDocuments.filter(({ schema }) => schema === loadedSchema?.entry);
  return (entryDocuments.length > 0 ? entryDocuments : wantedDocuments).map(
    ({ protocol, version, document, schema, forcing }) => {
      const namedSchemas = loadedSchema === undefined ? undefined : { ...loadedSchema, schema: loadedSchema.entry };
      const tests = files
        .filter((file) => file.protocol === protocol && file.version === version && file.document === document)
        .filter(({ kind }) => kind === "valid" || kind === "invalid")
        .flatMap(({ path }) => (readTestFile(join(folder, path), () => readSetFile(path)) as VectorFile).tests)
        // A vector that other rules may refuse has no verdict here.
        .filter(({ beyond }) => beyond === undefined)
        .flatMap(({ id, data, valid, site }) =>
          data === undefined || valid === undefined ? [] : [{ name: id, data, valid, ...(site && { site }) }],
        );
      return {
        name: `${protocol} ${document}`,
        ...(namedSchemas ?? schemasOf(folder, pack ?? `${protocol}@${version}`, document, schema)),
        tests,
        // These proofs belong to the set's own schema, which may not be the given one.
        ...(namedSchemas === undefined ? { known: forcing } : {}),
      };
    },
  );
}

/** The schemas beside the vectors, otherwise those of the protocol. */
function schemasOf(folder: string, protocol: string | Protocol, document: string, schema: string): Schemas {
  const schemasFile = join(folder, "schemas.json");
  if (existsSync(schemasFile)) return { schemas: readTestFile(schemasFile) as JsonObject[], schema };
  const [knownPack] = typeof protocol === "string" ? (protocolsNamed(protocol, "a file") as [Protocol]) : [protocol];
  const profileDocument = knownPack.profile.documents.find(({ name }) => name === document);
  const asText = profileDocument?.endpoint?.carries === "parameters";
  const source = (location: string): Source | undefined => sourceIn(knownPack, location);
  return {
    schemas: knownPack.schemas,
    schema,
    source,
    asText,
    ...(profileDocument === undefined ? {} : { document: [knownPack, profileDocument] }),
  };
}

function readTestFile(file: string, read: () => Buffer = () => readWhole(file)): unknown {
  try {
    return JSON.parse(read().toString("utf8"));
  } catch (cause) {
    throw new TouchstoneError("usage", `the file cannot be read: ${(cause as Error).message}`, { where: file, cause });
  }
}
