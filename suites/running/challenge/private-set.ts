import {
  canonical,
  type Document,
  digestOf,
  formatAddress,
  type Json,
  type Protocol,
  type RuledProtocol,
  TouchstoneError,
  type Vector,
  type VectorFile,
  vectorKinds,
  version,
} from "../../../schemas/index.ts";
import { loadVectors, type VectorSet } from "../../packs/corpus/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { drawsFor, type FuzzDraw } from "../fuzz/draws.ts";
import { documentsOf } from "../fuzz/fuzz.ts";
import { type Examine, examinerFor } from "../fuzz/oracle.ts";
import { requireValidOptions } from "../run/options.ts";
import { applyChanges, type Below, renameValues, replantFault } from "./renaming.ts";

export interface ChallengeOptions {
  /** Determines the whole set. */
  seed: number;
  /** The number of vectors for each protocol, shared evenly among its documents. */
  runs: number;
  signal?: AbortSignal | undefined;
}

/** Generates vectors that are not published: random messages, valid or with one fault, and stored vectors with different values, which may break a rule. An implementation that has memorized the stored vectors does not know them. The same seed generates the same set. Throws a usage error if the seed or the number of runs is out of range. */
export async function privateSet(data: Protocol, { seed, runs, signal }: ChallengeOptions): Promise<VectorSet> {
  requireValidOptions({ seed });
  if (!Number.isInteger(runs) || runs < 1)
    throw new TouchstoneError("usage", `the option runs is ${runs}`, { hint: "give a whole number, at least 1" });
  const protocol = await ruled(data);
  const storedFiles = loadVectors(protocol).files;
  const documents = documentsOf(protocol);
  const share = Math.ceil(runs / documents.length);
  const isAborted = (): boolean => signal?.aborted === true;
  const files: VectorFile[] = [];
  for (const document of documents) {
    if (isAborted()) break;
    const vectorsOfDocument = storedFiles
      .filter((file) => file.document === document.name)
      .flatMap(({ tests }) => tests);
    const examine = await examinerFor(protocol, document);
    const knownKeys = new Set(vectorsOfDocument.flatMap(({ data }) => (data === undefined ? [] : keyOf(data))));
    const isNew = ({ data }: Vector): boolean => {
      const key = keyOf(data as Json);
      return key !== undefined && !knownKeys.has(key) && knownKeys.add(key).size > 0;
    };
    const vectors: Vector[] = [];
    for await (const vector of alternate(
      drawVectors(protocol, document, examine, { seed, share }),
      varyVectors(vectorsOfDocument, examine, await oracleOf(protocol, document), { seed, share }),
      breakRules(vectorsOfDocument, protocol, document, seed),
    )) {
      if (vectors.length === share || isAborted()) break;
      if (isNew(vector)) vectors.push({ ...vector, ...nameVector(vector, seed), tags: ["challenge"] });
    }
    if (vectors.length > 0) files.push(fileOf(protocol, document, vectors, seed));
  }
  if (files.length === 0 && !isAborted())
    throw new TouchstoneError("usage", "every message that could be made is among the published vectors already", {
      where: protocol.name,
      hint: "the schema allows few values: run its vectors, which contain all of them",
    });
  const digest = digestOf(files.map(({ tests }) => JSON.stringify(tests)).join("\n"));
  return { protocol: protocol.name, version: protocol.version, digest, files };
}

/** Returns the canonical JSON of a value; undefined if it has none, for example because of a lone surrogate. */
function keyOf(data: Json): string | undefined {
  try {
    return canonical(data);
  } catch {
    return undefined;
  }
}

interface VectorQuota {
  seed: number;
  share: number;
}

/** Draws random messages as `fuzz` does, except valid messages that break a rule. */
async function* drawVectors(
  protocol: Protocol,
  document: Document,
  examine: Examine,
  { seed, share }: VectorQuota,
): AsyncGenerator<Vector> {
  const draws = await drawsFor(protocol, document);
  if (draws === undefined) return;
  const { default: fc } = await import("fast-check");
  const batchSize = 32;
  for (let firstDraw = 0; firstDraw < 4 * share; firstDraw += batchSize) {
    const randomDraws: FuzzDraw[] = fc.sample(draws, { seed, path: String(firstDraw), numRuns: batchSize });
    const examinedDraws = randomDraws.map((draw, offset) => examine(draw, `drawn-${firstDraw + offset}`));
    yield* examinedDraws.filter(({ beyond }) => beyond === undefined);
  }
}

/** Yields stored vectors with different values, in an order determined by the seed. Each keeps its fault and level. */
async function* varyVectors(
  storedVectors: readonly Vector[],
  examine: Examine,
  isValid: (instance: Json) => boolean,
  { seed, share }: VectorQuota,
): AsyncGenerator<Vector> {
  const { randomFrom } = await import("../../../generators/index.ts");
  const random = randomFrom(seed);
  const randomBelow: Below = (count) => (random.next() >>> 0) % count;
  const byId = new Map(storedVectors.map((vector) => [vector.id, vector]));
  const kinds = vectorKinds.slice(0, 2).map((kind) => `/${kind}/`);
  const candidates = storedVectors.filter(
    ({ id, data }) => data !== undefined && kinds.some((kind) => id.includes(kind)),
  );
  for (let tries = 0; tries < 4 * share && candidates.length > 0; tries += 1) {
    const [vector] = candidates.splice(randomBelow(candidates.length), 1) as [Vector];
    const origin = vector.valid === true ? vector : byId.get(vector.parent ?? "");
    const instance = origin?.data === undefined ? undefined : renameValues(origin.data, randomBelow, isValid);
    if (instance === undefined) continue;
    const draw: FuzzDraw | undefined =
      vector.valid === true ? { source: "valid", data: instance } : replantFault(vector, instance);
    const examined = draw === undefined ? undefined : examine(draw, `varied-${tries}`);
    if (examined === undefined || examined.valid !== vector.valid) continue;
    const { rule, level, needs, description, site, at, fault } = vector;
    // The level is copied from the stored vector, so the new message must not depend on formats unless that vector does.
    if (examined.needs.some((need) => !needs.includes(need))) continue;
    const publishedFacts = { rule, level, site, at, fault };
    const knownFacts = Object.fromEntries(Object.entries(publishedFacts).filter(([, value]) => value !== undefined));
    const { level: _, rule: __, ...vectorFacts } = examined;
    yield { ...vectorFacts, ...knownFacts, needs, description: `${description}, among other values` };
  }
}

/** Yields stored vectors that break a semantic rule, with different values. Only vectors that still break exactly this rule are kept. */
async function* breakRules(
  storedVectors: readonly Vector[],
  protocol: RuledProtocol,
  document: Document,
  seed: number,
): AsyncGenerator<Vector> {
  const { findings, oracleFor, randomFrom } = await import("../../../generators/index.ts");
  const oracle = await oracleFor(protocol.schemas, document.schema, protocol.foreign ? "lenient" : "strict");
  const isValid = await oracleOf(protocol, document);
  const random = randomFrom(seed);
  const byId = new Map(storedVectors.map((vector) => [vector.id, vector]));
  for (const [index, vector] of storedVectors.entries()) {
    const { parent = "", change, description, rule, ...vectorFacts } = vector;
    const parentData = byId.get(parent)?.data;
    if (!vector.id.includes("/semantic/") || vector.valid !== false || parentData === undefined || change === undefined)
      continue;
    const instance = renameValues(parentData, (count) => (random.next() >>> 0) % count, isValid);
    const data = instance === undefined ? undefined : applyChanges(instance, change);
    if (data === undefined || oracle.judge(data).verdict !== "valid") continue;
    const brokenRules = new Set(findings(protocol, document.name, data).map((ruleViolation) => ruleViolation.rule));
    if (brokenRules.size !== 1 || rule === undefined || !brokenRules.has(rule)) continue;
    const id = `${protocol.name}/${protocol.version}/${document.name}/semantic/fuzz/varied-${index}`;
    yield { ...vectorFacts, id, description: `${description}, among other values`, data, rule, change };
  }
}

/** Returns a predicate that checks whether both validators accept an instance and no semantic rule objects to it. */
async function oracleOf(protocol: RuledProtocol, document: Document): Promise<(instance: Json) => boolean> {
  const { findings, oracleFor } = await import("../../../generators/index.ts");
  const oracle = await oracleFor(protocol.schemas, document.schema, protocol.foreign ? "lenient" : "strict");
  return (instance) =>
    oracle.judge(instance).verdict === "valid" && findings(protocol, document.name, instance).length === 0;
}

/** Takes one item from each source in turn, until all are exhausted. */
async function* alternate<T>(...sources: AsyncGenerator<T>[]): AsyncGenerator<T> {
  let remaining = sources;
  while (remaining.length > 0) {
    const advanced = [];
    for (const source of remaining) advanced.push({ source, step: await source.next() });
    for (const { step } of advanced) if (step.done !== true) yield step.value;
    remaining = advanced.filter(({ step }) => step.done !== true).map(({ source }) => source);
  }
}

function nameVector({ id }: Vector, seed: number): Pick<Vector, "id"> {
  return { id: id.replace(/\/fuzz\/(?=[a-z]+-\d+$)/, `/challenge/${seed}/`) };
}

function fileOf(protocol: Protocol, document: Document, tests: Vector[], seed: number): VectorFile {
  return {
    $schema: formatAddress("vector-file"),
    description: `${document.title}: drawn for one run`,
    protocol: protocol.name,
    version: protocol.version,
    document: document.name,
    schema: document.schema,
    schemaDigest: "",
    generator: { name: "touchstone", version, seed },
    count: tests.length,
    tests,
  };
}
