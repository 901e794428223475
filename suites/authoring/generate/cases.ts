import {
  type Document,
  type Json,
  type Protocol,
  type RuledProtocol,
  rulesInFiles,
  shownPath,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { entryOf } from "../../packs/pack/code.ts";
import { caseLine } from "../../packs/pack/rule-cases.ts";

/** The file of a sample, if the user gave it as a file. */
export type SampleFile = (document: Document, index: number) => string | undefined;

/** Throws a usage error for the first wrong case or sample of a pack. */
export async function refuseWrongCases(
  protocol: RuledProtocol,
  sampleFile: SampleFile = () => undefined,
): Promise<void> {
  const { oracleFor, semanticLaw, semanticVectors } = await import("../../../generators/index.ts");
  for (const document of protocol.profile.documents) {
    const { samples = [] } = document;
    const hasCases = protocol.families.some(({ cases }) =>
      cases.some((ruleCase) => ruleCase.document === document.name),
    );
    if (samples.length === 0 && !hasCases) continue;
    const oracle = await oracleFor(protocol.schemas, document.schema, "lenient");
    for (const [index, sample] of samples.entries())
      if (oracle.judge(sample).verdict === "invalid")
        throw await wrongSampleError(protocol, document, { sample, index, file: sampleFile(document, index) });
    const vectors = withCaseErrors(() => semanticVectors(protocol, document), protocol);
    const [breach] = semanticLaw(protocol, document, oracle, vectors);
    if (breach !== undefined) throw wrongCaseError(protocol, breach);
  }
}

/** Creates the error for a wrong case, located in the file of its rule or in the code. */
function wrongCaseError(protocol: Protocol, { id, why }: { id: string; why: string }): TouchstoneError {
  const [rule = "", name = ""] = id.split("/").slice(-2);
  const { where, hint } = caseError(protocol, "", "index");
  return new TouchstoneError("usage", `the case ${rule}/${name}: ${why}`, {
    where: caseLine(rulesInFiles(protocol), rule, name) ?? String(where),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Creates the error for a wrong sample, located in its own file or in the profile. */
async function wrongSampleError(
  protocol: RuledProtocol,
  document: Document,
  { sample, index, file }: { sample: Json; index: number; file: string | undefined },
): Promise<TouchstoneError> {
  const { shapeFor } = await import("../../packs/validate/shape.ts");
  const judge = await shapeFor(protocol);
  const [reason] = judge(document, sample);
  const at = reason?.at === undefined || reason.at === "" ? "" : `${reason.at} `;
  const why = reason === undefined ? "validators do not agree on it" : `${at}${reason.message}`;
  const problem = `sample ${index + 1} of ${document.name} is not valid under its schema: ${why}`;
  const { where, hint } = caseError(protocol, problem, "profile.json");
  return new TouchstoneError("usage", problem, {
    where: file ?? `${where} (#/documents/${protocol.profile.documents.indexOf(document)}/samples/${index})`,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** With more documents, samples contain no words, since each document needs a search for them. */
const maxWithWords = 20;

/** Adds samples to each document that has none: the cases that keep its rules, or else the examples and defaults of its schema. */
export async function withSamples(protocol: RuledProtocol): Promise<RuledProtocol> {
  const { annotatedSamples } = await import("../../../generators/index.ts");
  const cases = protocol.families.flatMap((family) => family.cases);
  const samplesOf = async ({ name, schema, samples }: Document): Promise<Json[]> => {
    if (samples !== undefined) return samples;
    const validCases = cases
      .filter(({ document }) => document === name)
      .flatMap(({ valid }) => valid.slice(0, 1).flatMap(({ data }) => (data === undefined ? [] : [data])));
    return validCases.length > 0 ? validCases : annotatedSamples(protocol.schemas, schema, { hasWords });
  };
  // If there are many documents, the first vectors of all of them have priority.
  const hasWords = protocol.profile.documents.length <= maxWithWords;
  const documents: Document[] = [];
  for (const document of protocol.profile.documents) {
    const samples = await samplesOf(document);
    documents.push(samples.length === 0 ? document : { ...document, samples });
  }
  return { ...protocol, profile: { ...protocol.profile, documents } };
}

function withCaseErrors<T>(work: () => T, protocol: Protocol): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof TouchstoneError) throw cause;
    throw caseError(protocol, (cause as Error).message, "index");
  }
}

function caseError(protocol: Protocol, problem: string, file: string): TouchstoneError {
  return new TouchstoneError("usage", problem, {
    where:
      file === "index"
        ? `${shownPath(entryOf(protocol) ?? protocol.folder)} (pack.rules)`
        : `${shownPath(protocol.folder)}/${file}`,
    hint:
      file === "index"
        ? "a valid case must keep every rule; an invalid case is a valid case after a change that breaks only its own rule"
        : "correct the sample, or leave it out",
  });
}
