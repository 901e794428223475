import type { Json, JsonObject, Reading, Verdict } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { compileAjv, type Strictness } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";
import { renamingFor } from "./inherited.ts";
import { mentions } from "./mentions.ts";
import { followTargets, isDynamic } from "./schema-targets.ts";

/** Judges by two independent validators. If they disagree, the instance is disputed. */
export interface Oracle {
  judge(instance: Json): Judgement;
}

export interface Judgement {
  verdict: Verdict;
  readings: Reading[];
}

/** Compiles a schema with both validators. Formats are asserted. If a schema contains `multipleOf`, Ajv also compiles it with decimal arithmetic. */
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
        const ajvVote = vote(judge, instance);
        const renamed = ajvVote === valid ? undefined : rename(instance);
        return renamed !== undefined && vote(hyperjump, renamed) === valid ? vote(judge, renamed) : ajvVote;
      };
      const ajvValid = voteByAjv(ajv);
      const decimalValid = decimal === undefined ? ajvValid : voteByAjv(decimal);
      const votes = [
        { name: "ajv", valid: ajvValid },
        { name: "hyperjump", valid },
        // This is also Ajv, so it is listed only if it differs.
        ...(decimalValid === ajvValid ? [] : [{ name: "decimal", valid: decimalValid }]),
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

/** Undefined if a validator throws. Ajv throws when it compares objects with a member `toString`. Both throw for a pattern that may never end. */
function vote(judge: (instance: Json) => boolean, instance: Json): boolean | undefined {
  try {
    return judge(instance);
  } catch {
    return undefined;
  }
}
