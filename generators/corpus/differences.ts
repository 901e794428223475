import type { JsonObject, Vector } from "../../schemas/index.ts";
import { sites } from "../evaluate/sites.ts";
import type { Location, Model } from "../model/model.ts";
import { editSchemas } from "../mutation/mutant.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import type { JudgedDraft } from "./judge.ts";

/** The maximum number of assertions tried in a large schema. */
const maxInstances = 300;

/** Names the assertion on which the validators differ about a draft: without it they agree. Stops when time is up. */
export async function withDifferences(
  judged: readonly JudgedDraft[],
  model: Model,
  { schemas, id, isLate = () => false }: { schemas: readonly JsonObject[]; id: string; isLate?: () => boolean },
): Promise<JudgedDraft[]> {
  if (!judged.some(({ vector }) => isBetweenValidators(vector))) return [...judged];
  const oracles = new Map<Location, Oracle | undefined>();
  const judgeWithout = async (site: Location): Promise<Oracle | undefined> => {
    if (!oracles.has(site) && oracles.size < maxInstances) oracles.set(site, await oracleWithout(schemas, id, site));
    return oracles.get(site);
  };
  const all = sites(model).map(({ location }) => location);
  // The keyword that evaluates a member could be removed too, but it is rarely the cause.
  const keywords = [...model.nodes.values()].flatMap((node) => node.keywords);
  const unevaluated = keywords.filter(({ kind }) => /^unevaluated/.test(kind)).map(({ site }) => site);
  const findCause = async ({ vector: { data = null, site } }: JudgedDraft): Promise<Location | undefined> => {
    for (const each of new Set([...unevaluated, ...(site === undefined ? [] : [site]), ...oracles.keys(), ...all]))
      if (isLate()) return undefined;
      else if (((await judgeWithout(each))?.judge(data).verdict ?? "disputed") !== "disputed") return each;
    return undefined;
  };
  const result: JudgedDraft[] = [];
  for (const judgedDraft of judged) {
    const at = isBetweenValidators(judgedDraft.vector) ? await findCause(judgedDraft) : undefined;
    result.push(at === undefined ? judgedDraft : { ...judgedDraft, vector: nameCause(judgedDraft.vector, at) });
  }
  return result;
}

/** Whether one validator refuses an instance that the other accepts, without an explanation. */
function isBetweenValidators({ readings = [] }: Vector): boolean {
  return readings.length > 1 && readings.every(({ why }) => why === undefined);
}

async function oracleWithout(schemas: readonly JsonObject[], id: string, at: Location): Promise<Oracle | undefined> {
  try {
    return await oracleFor(editSchemas(schemas, [{ at }]), id, "lenient");
  } catch {
    return undefined;
  }
}

function nameCause(vector: Vector, site: Location): Vector {
  const readings = vector.readings?.map((reading) => (reading.verdict === "invalid" ? { ...reading, site } : reading));
  return { ...vector, ...(readings && { readings }) };
}
