import {
  type BuiltSet,
  compileModel,
  doubtLaw,
  oneFaultLaw,
  oracleFor,
  parentLaw,
  rawLaw,
  readingLaw,
  semanticLaw,
  setLaw,
  type VectorBreach,
  verdictLaw,
} from "../../generators/index.ts";
import type { Document, Json, RuledProtocol, Vector, VectorFile } from "../../schemas/index.ts";

/** Finds vectors of a protocol that break the laws for vectors. `reportLine` is called for each document. */
export async function lawComplaints(
  protocol: RuledProtocol,
  { texts }: BuiltSet,
  reportLine: (line: string) => void,
): Promise<string[]> {
  const complaints: string[] = [];
  const protocolVectors = [...texts]
    .filter(([path]) => path.startsWith(`${protocol.name}/`))
    .flatMap(([, text]): Vector[] => (JSON.parse(text) as VectorFile).tests);
  for (const document of protocol.profile.documents) {
    const vectors = protocolVectors.filter(({ id }) =>
      id.startsWith(`${protocol.name}/${protocol.version}/${document.name}/`),
    );
    if (vectors.length === 0) continue;
    const breaches = await breachesOf(protocol, document, vectors);
    complaints.push(...breaches.map(({ id, law, why }) => `${id} breaks the law of ${law}: ${why}`));
    reportLine(
      `${protocol.name} ${document.name}: laws ${breaches.length === 0 ? "hold" : `broken ${breaches.length} times`} for ${vectors.length} vectors`,
    );
  }
  return complaints;
}

/** Checks the vectors of a document: schema laws for vectors of the schema, rule laws for the others, and set laws for all of them. */
async function breachesOf(
  protocol: RuledProtocol,
  document: Document,
  vectors: readonly Vector[],
): Promise<VectorBreach[]> {
  const oracle = await oracleFor(protocol.schemas, document.schema);
  const isSemantic = ({ id }: Vector): boolean => id.includes(`/${document.name}/semantic/`);
  const schemaVectors = vectors.filter((vector) => !isSemantic(vector));
  const ruleVectors = vectors.filter(isSemantic);
  const parents = new Map(
    vectors.flatMap(({ id, valid, data }): [string, Json][] => (valid && data !== undefined ? [[id, data]] : [])),
  );
  return [
    ...verdictLaw(oracle, schemaVectors),
    ...doubtLaw(await compileModel(protocol.schemas, document.schema), vectors),
    ...parentLaw(oracle, parents, schemaVectors),
    ...oneFaultLaw(protocol.schemas, document.schema, schemaVectors),
    ...rawLaw(protocol, oracle, parents, schemaVectors),
    ...semanticLaw(protocol, document, oracle, ruleVectors),
    ...readingLaw(protocol, document, schemaVectors),
    ...parentLaw(
      oracle,
      parents,
      ruleVectors.filter(({ parent }) => parent !== undefined),
    ),
    ...setLaw(protocol, document, vectors),
  ];
}
