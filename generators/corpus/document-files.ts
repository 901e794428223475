import {
  canonicalSchemas,
  type Document,
  digestOf,
  type Manifest,
  type Protocol,
  schemasUsed,
  type Vector,
  type VectorFile,
  type VectorKind,
  version,
} from "../../schemas/index.ts";
import { compileModel, identifier } from "../compile/compile.ts";
import { OtherDocuments } from "../drafts/other-documents.ts";
import { sites } from "../evaluate/sites.ts";
import type { Model } from "../model/model.ts";
import type { MutantOutcomes } from "../mutation/kill-mutants.ts";
import type { Mutant } from "../mutation/mutant.ts";
import { tableOf } from "../mutation/table.ts";
import { type Plan, unreachedReason } from "./plan.ts";
import { elsewhereOf } from "./subject.ts";

export const defaultSeed = 42;

/** The files of one document, and its entry in the manifest. */
export interface AssembledDocument {
  files: { kind: VectorKind; file: VectorFile }[];
  sites: Manifest["documents"][number];
}

/** Makes the files of a document from existing vectors. */
export async function writeFiles(
  protocol: Protocol,
  document: Document,
  vectors: Readonly<Partial<Record<VectorKind, Vector[]>>>,
  seed: number = defaultSeed,
): Promise<AssembledDocument["files"]> {
  const model = await compileModel(protocol.schemas, document.schema);
  const noVectors: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
  return filesOf(protocol, document, { model, vectors: { ...noVectors, ...vectors }, seed });
}

/** Makes one file for each kind of vector that the document has. */
export function filesOf(
  protocol: Protocol,
  document: Document,
  { model, vectors, seed }: { model: Model; vectors: Readonly<Record<VectorKind, Vector[]>>; seed: number },
): AssembledDocument["files"] {
  const resources = new Set([...model.nodes.values()].map(({ resource }) => resource));
  const usedSchemas =
    protocol.foreign === true
      ? schemasUsed(protocol.schemas, document.schema)
      : protocol.schemas.filter((schema) => resources.has(identifier(schema)));
  const schemaDigest = digestOf(canonicalSchemas(usedSchemas));
  const fileOf = (kind: VectorKind, description: string): VectorFile => ({
    $schema: "https://touchstone.example/schemas/touchstone/vector-file.schema.json",
    description,
    protocol: protocol.name,
    version: protocol.version,
    document: document.name,
    schema: document.schema,
    schemaDigest,
    generator: { name: "touchstone", version, seed },
    count: vectors[kind].length,
    tests: vectors[kind],
  });
  const title = `${protocol.profile.title} ${protocol.version}, ${document.title}`;
  const descriptions: [VectorKind, string][] = [
    ["valid", "instances that must be accepted"],
    ["invalid", "instances that break one assertion each and must be refused"],
    ["semantic", "instances that the schema accepts and semantic rules decide"],
    ["disputed", "instances on which readings differ; never failed"],
    ["raw", "texts and bytes, to be sent as they are"],
  ];
  return descriptions
    .map(([kind, description]) => ({ kind, file: fileOf(kind, `${title}: ${description}`) }))
    .filter(({ file: { count } }) => count > 0);
}

/** Makes the entry of a document in the manifest: its assertions, which of them are isolated, and how many vectors kill each mutant. */
export function siteTable(
  protocol: Protocol,
  document: Document,
  model: Model,
  { broken, unbroken, mutants, kills }: Plan & { kills: ReadonlyMap<Mutant, number> },
): AssembledDocument["sites"] {
  const elsewhere = document.kept === "core" ? elsewhereOf(protocol, document) : new OtherDocuments();
  const breakable = sites(model)
    .map(({ location }) => location)
    .filter((site) => !elsewhere.has(site));
  const reasons = new Map(unbroken.map((entry) => [entry.site, entry]));
  const isCoreOfPack = document.kept === "core" && protocol.foreign === true;
  return {
    protocol: protocol.name,
    version: protocol.version,
    document: document.name,
    schema: document.schema,
    sites: breakable.length,
    broken: breakable.filter((site) => broken.has(site)).length,
    unbroken: breakable
      .filter((site) => !broken.has(site))
      .map((site) => reasons.get(site) ?? { site, ...unreachedReason }),
    forcing: tableOf(dropUncountedMutants(mutants, kills), kills, isCoreOfPack ? () => 1 : undefined),
  };
}

/** Leaves out mutants for which there was no time to count kills. */
function dropUncountedMutants(mutants: MutantOutcomes, kills: ReadonlyMap<Mutant, number>): MutantOutcomes {
  const killedMutants = mutants.all.filter((mutant) => kills.has(mutant));
  return killedMutants.length === mutants.all.length ? mutants : { ...mutants, all: killedMutants, partial: true };
}
