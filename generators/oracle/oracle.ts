import type { Json, JsonObject, Reading, Verdict } from "../../schemas/index.ts";
import { compileAjv, type Strictness } from "./ajv.ts";
import { compileHyperjump } from "./hyperjump.ts";

/** Two independent validators. Where they agree there is a verdict; where they do not, the instance is disputed. */
export interface Oracle {
  judge(instance: Json): Judgement;
}

export interface Judgement {
  verdict: Verdict;
  readings: Reading[];
}

/** Compiles a schema with both validators, formats asserted, and where there are multiples with exact arithmetic besides. */
export async function oracleFor(
  schemas: readonly JsonObject[],
  id: string,
  strictness: Strictness = "strict",
): Promise<Oracle> {
  const voters = [
    { name: "ajv", judge: compileAjv(schemas, id, strictness, "binary") },
    { name: "hyperjump", judge: await compileHyperjump(schemas, id) },
  ];
  // Both reckon in binary fractions, and may be wrong together.
  if (JSON.stringify(schemas).includes('"multipleOf"'))
    voters.push({ name: "decimal", judge: compileAjv(schemas, id, strictness) });
  return {
    judge(instance) {
      const votes = voters.map(({ name, judge }) => ({ name, valid: vote(judge, instance) }));
      const readings = (["valid", "invalid"] as const).flatMap((verdict): Reading[] => {
        const by = votes.filter(({ valid }) => valid === (verdict === "valid")).map(({ name }) => name);
        return by.length === 0 ? [] : [{ verdict, by }];
      });
      const [only] = readings;
      const isUnanimous = only !== undefined && only.by.length === voters.length;
      return { verdict: isUnanimous ? only.verdict : "disputed", readings };
    },
  };
}

/** Undefined when a validator breaks down: Ajv does on members named `toString` where it compares objects. */
function vote(judge: (instance: Json) => boolean, instance: Json): boolean | undefined {
  try {
    return judge(instance);
  } catch {
    return undefined;
  }
}
