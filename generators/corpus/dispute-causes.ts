import type { JsonObject, Vector } from "../../schemas/index.ts";
import { sites } from "../evaluate/sites.ts";
import type { Location, Model } from "../model/model.ts";
import { editSchemas } from "../mutation/mutant.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import type { JudgedDraft } from "./judge.ts";

/** The maximum number of assertions that are removed on trial. */
const maxRemovals = 300;

/** Adds to each disputed draft the assertion on which the validators disagree: without it they agree. Stops when `isLate` returns true. */
export async function addDisputeCauses(
  judged: readonly JudgedDraft[],
  model: Model,
  { schemas, id, isLate = () => false }: { schemas: readonly JsonObject[]; id: string; isLate?: () => boolean },
): Promise<JudgedDraft[]> {
  if (!judged.some(({ vector }) => isUnexplainedDispute(vector))) return [...judged];
  const oracles = new Map<Location, Oracle | undefined>();
  const judgeWithout = async (site: Location): Promise<Oracle | undefined> => {
    if (!oracles.has(site) && oracles.size < maxRemovals) oracles.set(site, await oracleWithout(schemas, id, site));
    return oracles.get(site);
  };
  const allSites = sites(model).map(({ location }) => location);
  // The validators also agree without the keyword that evaluates a member. But the cause is usually `unevaluated*`, so that is tried first.
  const keywords = [...model.nodes.values()].flatMap((node) => node.keywords);
  const unevaluated = keywords.filter(({ kind }) => /^unevaluated/.test(kind)).map(({ site }) => site);
  const findCause = async ({ vector: { data = null, site } }: JudgedDraft): Promise<Location | undefined> => {
    const ownSite = site === undefined ? [] : [site];
    for (const candidate of new Set([...unevaluated, ...ownSite, ...oracles.keys(), ...allSites])) {
      if (isLate()) return undefined;
      const oracle = await judgeWithout(candidate);
      if ((oracle?.judge(data).verdict ?? "disputed") !== "disputed") return candidate;
    }
    return undefined;
  };
  const explained: JudgedDraft[] = [];
  for (const judgedDraft of judged) {
    const cause = isUnexplainedDispute(judgedDraft.vector) ? await findCause(judgedDraft) : undefined;
    explained.push(
      cause === undefined ? judgedDraft : { ...judgedDraft, vector: nameCause(judgedDraft.vector, cause) },
    );
  }
  return explained;
}

/** Whether one validator refuses an instance that the other accepts, without an explanation. */
function isUnexplainedDispute({ readings = [] }: Vector): boolean {
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
