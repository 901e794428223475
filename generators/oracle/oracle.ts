import type { Json, JsonObject, Reading, Verdict } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { compileAjv, type Strictness } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";
import { renamingFor } from "./inherited.ts";
import { mentions } from "./mentions.ts";
import { followTargets, isDynamic } from "./schema-targets.ts";

/** Two independent validators. If they agree, that is the verdict; if not, the instance is disputed. */
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
      // If Hyperjump gives the same verdict after renaming, Ajv differs only because of an inherited name.
      const voteByAjv = (judge: typeof ajv): boolean | undefined => {
        const first = vote(judge, instance);
        const renamed = first === valid ? undefined : rename(instance);
        return renamed !== undefined && vote(hyperjump, renamed) === valid ? vote(judge, renamed) : first;
      };
      const first = voteByAjv(ajv);
      const exact = decimal === undefined ? first : voteByAjv(decimal);
      const votes = [
        { name: "ajv", valid: first },
        { name: "hyperjump", valid },
        // This is also Ajv, so it is listed only if it differs.
        ...(exact === first ? [] : [{ name: "decimal", valid: exact }]),
      ];
      const readings = (["valid", "invalid"] as const).flatMap((verdict): Reading[] => {
        const by = votes.filter(({ valid }) => valid === (verdict === "valid")).map(({ name }) => name);
        return by.length === 0 ? [] : [{ verdict, by }];
      });
      const [firstReading] = readings;
      const isUnanimous = firstReading !== undefined && firstReading.by.length === votes.length;
      return { verdict: isUnanimous ? firstReading.verdict : "disputed", readings };
    },
  };
}

/** Undefined if a validator throws: Ajv does when it compares objects that have a `toString` member, or tests a pattern that backtracks for ever. */
function vote(judge: (instance: Json) => boolean, instance: Json): boolean | undefined {
  try {
    return judge(instance);
  } catch {
    return undefined;
  }
}
