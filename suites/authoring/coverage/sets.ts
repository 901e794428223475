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
  /** The document whose schema it is, if the protocol has others with sets of their own. */
  document?: readonly [Protocol, Document];
  tests: { name: string; data: Json; valid: boolean; site?: string }[];
  known?: Manifest["documents"][number]["forcing"];
  /** Whether its values are sent as text. */
  asText?: boolean;
  /** The file and line of a location in the schemas, if known. */
  source?(location: string): Source | undefined;
}

export interface WantedSets {
  /** The given name: a protocol, a folder of vectors, or a file or folder of a user's tests. */
  what: string;
  schema?: string;
  refs?: readonly string[];
  /** Gets a line about documents of a pack that have no vectors yet. */
  warn?: (line: string) => void;
}

/** The named sets. Throws a usage error for a name that is neither a path nor a protocol, and for tests without a known schema. */
export async function readTestSets({ what, schema, refs = [], warn }: WantedSets): Promise<TestSet[]> {
  if (schema !== undefined) await refuseSeveral(schema);
  const loadedSchema =
    schema === undefined ? undefined : await loadSchemas({ schema, refs, upgrade: true, lenient: true });
  if (isProtocol(what)) {
    const protocols = namedOrMissing(what, schema);
    return protocols.flatMap((protocol) => {
      loadVectors(protocol);
      const missing = missingLine(protocol);
      if (missing !== "") warn?.(missing);
      return testSetsIn(
        vectorsFolder(protocol),
        (document) => document.protocol === protocol.name,
        undefined,
        protocol,
      );
    });
  }
  if (statSync(what).isDirectory() && existsSync(join(what, "MANIFEST.json"))) {
    const sets = testSetsIn(what, () => true, loadedSchema);
    if (sets.length > 0) return sets;
    throw new TouchstoneError("usage", "the manifest lists no document", { where: join(what, "MANIFEST.json") });
  }
  if (loadedSchema === undefined) {
    throw new TouchstoneError("usage", `"${what}" does not name the schema of its tests`, {
      hint: "name it with --schema FILE",
    });
  }
  const { entry, schemas, source } = loadedSchema;
  return [{ name: what, schemas, schema: entry, source, tests: await readTests(what) }];
}

/** Throws a usage error unless one schema is named, since tests are for one schema. */
async function refuseSeveral(schema: string): Promise<void> {
  const [first = "", ...others] = await schemasMeant(schema);
  if (others.length === 0) return;
  throw new TouchstoneError("usage", `"${schema}" asserts nothing, and has ${others.length + 1} definitions`, {
    hint: `name the definition that the tests are for, such as ${first}`,
  });
}

/** The protocols with a given name. Throws a usage error if it is neither a protocol nor a path. If a schema is given, the error says that the tests are missing. */
function namedOrMissing(what: string, schema: string | undefined): readonly Protocol[] {
  try {
    return protocolsNamed(what);
  } catch (error) {
    if (schema === undefined || existsSync(what)) throw error;
    const hint = "name the file or folder with the tests";
    throw new TouchstoneError("usage", `the file or folder "${what}" does not exist`, { hint, cause: error });
  }
}

/** Whether it is the name of a protocol, or the folder of a pack. */
function isProtocol(what: string): boolean {
  return !existsSync(what) || basename(what) === profileFile || existsSync(join(what, profileFile));
}

type Schemas = Pick<TestSet, "schemas" | "schema" | "document" | "source" | "asText">;

function testSetsIn(
  folder: string,
  isWanted: (document: Manifest["documents"][number]) => boolean,
  loadedSchema?: Pick<LoadedSchemas, "entry" | "schemas" | "source">,
  pack?: Protocol,
): TestSet[] {
  const open = filesIn(folder);
  const { documents, files } = readTestFile(join(folder, "MANIFEST.json")) as Manifest;
  const wantedDocuments = documents.filter(isWanted);
  // Tests of another schema say nothing about the given one.
  const entryDocuments = wantedDocuments.filter(({ schema }) => schema === loadedSchema?.entry);
  return (entryDocuments.length > 0 ? entryDocuments : wantedDocuments).map(
    ({ protocol, version, document, schema, forcing }) => {
      const givenSchemas = loadedSchema === undefined ? undefined : { ...loadedSchema, schema: loadedSchema.entry };
      const tests = files
        .filter((file) => file.protocol === protocol && file.version === version && file.document === document)
        .filter(({ kind }) => kind === "valid" || kind === "invalid")
        .flatMap(({ path }) => (readTestFile(join(folder, path), () => open(path)) as VectorFile).tests)
        // A vector that other rules may refuse has no verdict here.
        .filter(({ beyond }) => beyond === undefined)
        .flatMap(({ id, data, valid, site }) =>
          data === undefined || valid === undefined ? [] : [{ name: id, data, valid, ...(site && { site }) }],
        );
      return {
        name: `${protocol} ${document}`,
        ...(givenSchemas ?? schemasOf(folder, pack ?? `${protocol}@${version}`, document, schema)),
        tests,
        // These proofs belong to the set's own schema, which may not be the given one.
        ...(givenSchemas === undefined ? { known: forcing } : {}),
      };
    },
  );
}

/** The schemas beside the vectors, otherwise those of the protocol. */
function schemasOf(folder: string, protocol: string | Protocol, document: string, schema: string): Schemas {
  const beside = join(folder, "schemas.json");
  if (existsSync(beside)) return { schemas: readTestFile(beside) as JsonObject[], schema };
  const [known] = typeof protocol === "string" ? (protocolsNamed(protocol, "a file") as [Protocol]) : [protocol];
  const its = known.profile.documents.find(({ name }) => name === document);
  const asText = its?.endpoint?.carries === "parameters";
  const source = (location: string): Source | undefined => sourceIn(known, location);
  return { schemas: known.schemas, schema, source, asText, ...(its === undefined ? {} : { document: [known, its] }) };
}

function readTestFile(file: string, open: () => Buffer = () => readWhole(file)): unknown {
  try {
    return JSON.parse(open().toString("utf8"));
  } catch (cause) {
    throw new TouchstoneError("usage", `the file cannot be read: ${(cause as Error).message}`, { where: file, cause });
  }
}
