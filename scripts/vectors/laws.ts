import {
  type Built,
  oneFaultLaw,
  oracleFor,
  parentLaw,
  rawLaw,
  semanticLaw,
  verdictLaw,
} from "../../generators/index.ts";
import type { Json, RuledProtocol, Vector, VectorFile } from "../../schemas/index.ts";

/** What is wrong with the vectors of a protocol by the laws that each has to obey. `tell` hears of each document. */
export async function lawsHold(
  protocol: RuledProtocol,
  { texts }: Built,
  tell: (line: string) => void,
): Promise<string[]> {
  const complaints: string[] = [];
  const all = [...texts]
    .filter(([path]) => path.startsWith(`${protocol.name}/`))
    .flatMap(([, text]): Vector[] => (JSON.parse(text) as VectorFile).tests);
  for (const document of protocol.profile.documents.filter((each) => each.standalone)) {
    const prefix = `${protocol.name}/${protocol.version}/${document.name}/`;
    const vectors = all.filter(({ id }) => id.startsWith(prefix) && !id.startsWith(`${prefix}semantic/`));
    const parents = new Map(vectors.filter(({ valid }) => valid === true).map(({ id, data }) => [id, data as Json]));
    const oracle = await oracleFor(protocol.schemas, document.schema);
    const breaches = [
      ...verdictLaw(oracle, vectors),
      ...parentLaw(oracle, parents, vectors),
      ...oneFaultLaw(protocol.schemas, document.schema, vectors),
      ...rawLaw(protocol, oracle, parents, vectors),
    ];
    complaints.push(...breaches.map(({ id, law, why }) => `${id} breaks the law of ${law}: ${why}`));
    tell(
      `${protocol.name} ${document.name}: laws ${breaches.length === 0 ? "hold" : `broken ${breaches.length} times`} for ${vectors.length} vectors`,
    );
  }
  for (const document of protocol.profile.documents) {
    const prefix = `${protocol.name}/${protocol.version}/${document.name}/semantic/`;
    const vectors = all.filter(({ id }) => id.startsWith(prefix));
    if (vectors.length === 0) continue;
    const oracle = await oracleFor(protocol.schemas, document.schema);
    const parents = new Map(vectors.filter(({ valid }) => valid === true).map(({ id, data }) => [id, data as Json]));
    const changed = vectors.filter(({ parent }) => parent !== undefined);
    const breaches = [...semanticLaw(protocol, document, oracle, vectors), ...parentLaw(oracle, parents, changed)];
    complaints.push(...breaches.map(({ id, law, why }) => `${id} breaks the law of ${law}: ${why}`));
    tell(
      `${protocol.name} ${document.name}: laws of rules ${breaches.length === 0 ? "hold" : `broken ${breaches.length} times`} for ${vectors.length} vectors`,
    );
  }
  return complaints;
}
