import {
  type Change,
  type Document,
  exactNumbersIn,
  type Json,
  type Protocol,
  rawWithStandIns,
  replaceNumbers,
  TouchstoneError,
  type Vector,
} from "../../../schemas/index.ts";
import { ruled } from "../../packs/pack/load.ts";
import { complainAt, type SetComplaint } from "./complaint.ts";
import type { ListedFile } from "./file.ts";
import type { FoundProtocol } from "./protocol.ts";

/**
 * Checks that two independent validators, or the rules' checkers, confirm each vector's verdict. If a vector has a parent, its change must also
 * turn the parent into the vector.
 */
export async function checkLaws(
  { protocol, isForeign }: FoundProtocol,
  files: readonly ListedFile[],
  onFile: () => void,
): Promise<SetComplaint[]> {
  if (protocol === undefined) return [];
  const generators = await import("../../../generators/index.ts");
  const { oracleFor, parentLaw, rawLaw, semanticLaw, verdictLaw } = generators;
  const complaints: SetComplaint[] = [];
  const exactNumbers = exactNumbersIn(protocol.schemas);
  for (const document of protocol.profile.documents) {
    const listedFiles = files
      .filter(({ content }) => content.document === document.name)
      .map((file) => (exactNumbers.size === 0 ? file : withStandIns(file, exactNumbers)));
    if (listedFiles.length === 0) continue;
    for (const _ of listedFiles) onFile();
    const oracle = await loadOracle(oracleFor, protocol, document, isForeign);
    if (oracle instanceof TouchstoneError) {
      complaints.push(
        complainAt(
          listedFiles[0] as ListedFile,
          "/schema",
          oracle.message,
          "a verdict needs the schema, read by both validators",
        ),
      );
      continue;
    }
    const vectors = listedFiles.flatMap(({ content }) => content.tests);
    const parents = new Map(vectors.filter(({ valid }) => valid === true).map(({ id, data }) => [id, data as Json]));
    const schemaVectors = listedFiles
      .filter((listedFile) => !isSemantic(listedFile))
      .flatMap(({ content }) => content.tests);
    const semanticVectors = listedFiles
      .filter(isSemantic)
      .flatMap(({ content }) => content.tests)
      .filter((vector) => !isUncheckable(protocol, vector));
    // Handwritten vectors need no parent.
    const withParent = (vectors: readonly Vector[]): Vector[] => vectors.filter(({ parent }) => parent !== undefined);
    const breaches = [
      ...verdictLaw(oracle, schemaVectors),
      ...parentLaw(oracle, parents, withParent(vectors)),
      ...rawLaw(protocol, oracle, parents, withParent(schemaVectors)),
      ...semanticLaw(await ruled(protocol), document, oracle, semanticVectors),
    ];
    const orphans = breaches.filter(({ law }) => law === "parent");
    const otherBreaches = breaches.filter(({ law }) => law !== "parent");
    complaints.push(
      ...otherBreaches.map(({ id, law, why }) => complainAboutVector(listedFiles, id, `${laws[law]}: ${why}`)),
      ...parentComplaints(listedFiles, orphans),
    );
  }
  return complaints;
}

function isSemantic({ content, entry }: ListedFile): boolean {
  return entry.kind === "semantic" || content.tests.every(({ id }) => id.includes("/traces/"));
}

/** Whether a vector breaks a rule that cannot be checked, because the set has schemas but no rules. */
function isUncheckable({ rules }: Protocol, { valid }: Vector): boolean {
  return rules.length === 0 && valid === false;
}

/** The number of vectors that break rules which cannot be checked. */
export function countUnjudged({ protocol }: FoundProtocol, files: readonly ListedFile[]): number {
  if (protocol === undefined) return 0;
  const semanticVectors = files.filter(isSemantic).flatMap(({ content }) => content.tests);
  return semanticVectors.filter((vector) => isUncheckable(protocol, vector)).length;
}

/** Returns the file with each big number replaced by the double that represents it in the schemas. */
function withStandIns(listedFile: ListedFile, exactNumbers: ReadonlyMap<number, string>): ListedFile {
  const doubles = new Map([...exactNumbers].map(([double, text]) => [text, double]));
  const { number } = listedFile.text;
  const tests = listedFile.content.tests.map((test, index) => {
    if (!test.needs.includes("big-numbers")) return test;
    const withDoubles = (value: Json, at: string): Json =>
      replaceNumbers(value, (each, subpath) => doubles.get(number?.(`/tests/${index}${at}${subpath}`) ?? "") ?? each);
    const { data, change, raw, base64 } = test;
    return {
      ...test,
      ...(data === undefined ? {} : { data: withDoubles(data, "/data") }),
      ...(change === undefined
        ? {}
        : { change: withDoubles(change as unknown as Json, "/change") as unknown as Change[] }),
      ...(raw === undefined ? {} : { raw: rawWithStandIns(raw, exactNumbers) }),
      ...(base64 === undefined ? {} : { base64: base64WithStandIns(base64, exactNumbers) }),
    };
  });
  return { ...listedFile, content: { ...listedFile.content, tests } };
}

function base64WithStandIns(base64: string, exactNumbers: ReadonlyMap<number, string>): string {
  const text = rawWithStandIns(Buffer.from(base64, "base64").toString("latin1"), exactNumbers);
  return Buffer.from(text, "latin1").toString("base64");
}

const laws: Record<string, string> = {
  verdict: "its verdict is not confirmed",
  parent: "its parent is missing",
  change: "its change does not lead from its parent to it",
  undo: "undoing its change does not make it valid",
  rule: "its rule has another verdict",
  "one-fault": "it has more than one fault",
};

type LawBreach = import("../../../generators/index.ts").VectorBreach;
type OracleFor = typeof import("../../../generators/index.ts").oracleFor;

async function loadOracle(
  oracleFor: OracleFor,
  protocol: Protocol,
  { schema }: Document,
  isForeign: boolean,
): Promise<Awaited<ReturnType<OracleFor>> | TouchstoneError> {
  try {
    return await oracleFor(protocol.schemas, schema, isForeign ? "lenient" : "strict");
  } catch (cause) {
    return new TouchstoneError("usage", `no validator can use ${schema}: ${(cause as Error).message}`, { cause });
  }
}

/** Reports missing parents once for each file, since one unreadable file may have the parents of hundreds of vectors. */
function parentComplaints(files: readonly ListedFile[], breaches: readonly LawBreach[]): SetComplaint[] {
  return files.flatMap((listedFile) => {
    const fileIds = new Set(listedFile.content.tests.map(({ id }) => id));
    const [firstBreach, ...otherBreaches] = breaches.filter(({ id }) => fileIds.has(id));
    if (firstBreach === undefined) return [];
    const moreText = otherBreaches.length === 0 ? "" : `; and ${otherBreaches.length} more in this file`;
    return [
      complainAboutVector([listedFile], firstBreach.id, `${laws[firstBreach.law]}: ${firstBreach.why}${moreText}`),
    ];
  });
}

function complainAboutVector(files: readonly ListedFile[], id: string, problem: string): SetComplaint {
  for (const listedFile of files) {
    const index = listedFile.content.tests.findIndex((vector) => vector.id === id);
    if (index !== -1) return complainAt(listedFile, `/tests/${index}`, `${id}: ${problem}`);
  }
  return { where: id, what: problem };
}
