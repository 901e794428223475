import type { Json, JsonObject, Reading, Verdict } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { compileAjv, type Strictness } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";
import { renamingFor } from "./inherited.ts";
import { mentions } from "./mentions.ts";
import { followTargets, isDynamic } from "./schema-targets.ts";

/** Two independent validators. If they agree there is a verdict; if not, the instance is disputed. */
export interface Oracle {
  judge(instance: Json): Judgement;
}

export interface Judgement {
  verdict: Verdict;
  readings: Reading[];
}

/** Compiles a schema with both validators, with formats asserted, and also with exact arithmetic if a schema contains `multipleOf`. */
export async function oracleFor(
  schemas: readonly JsonObject[],
  id: string,
  strictness: Strictness = "strict",
): Promise<Oracle> {
  const forAjv = isDynamic(schemas) ? followTargets(schemas, [await compileModel(schemas, id)]) : schemas;
  const [ajv, hyperjump] = [compileAjv(forAjv, id, strictness, "binary"), await compileHyperjump(schemas, id)];
  // Both validators compute with binary fractions, and may be wrong together.
  const decimal = mentions(schemas, "multipleOf") ? compileAjv(forAjv, id, strictness) : undefined;
  const rename = renamingFor(schemas);
  return {
    judge(instance) {
      const valid = vote(hyperjump, instance);
      // If renaming does not change the verdict of Hyperjump, Ajv differs only because of an inherited name.
      const voteOfAjv = (judge: typeof ajv): boolean | undefined => {
        const first = vote(judge, instance);
        const renamed = first === valid ? undefined : rename(instance);
        return renamed !== undefined && vote(hyperjump, renamed) === valid ? vote(judge, renamed) : first;
      };
      const first = voteOfAjv(ajv);
      const exact = decimal === undefined ? first : voteOfAjv(decimal);
      const votes = [
        { name: "ajv", valid: first },
        { name: "hyperjump", valid },
        // This is Ajv as well: its verdict counts only if it differs.
        ...(exact === first ? [] : [{ name: "decimal", valid: exact }]),
      ];
      const readings = (["valid", "invalid"] as const).flatMap((verdict): Reading[] => {
        const by = votes.filter(({ valid }) => valid === (verdict === "valid")).map(({ name }) => name);
        return by.length === 0 ? [] : [{ verdict, by }];
      });
      const [only] = readings;
      const isUnanimous = only !== undefined && only.by.length === votes.length;
      return { verdict: isUnanimous ? only.verdict : "disputed", readings };
    },
  };
}

/** Undefined if a validator throws: Ajv does when it compares objects with a member `toString`, or tests a pattern that never ends. */
function vote(judge: (instance: Json) => boolean, instance: Json): boolean | undefined {
  try {
    return judge(instance);
  } catch {
    return undefined;
  }
}
