import { compileModel, isValid, randomFrom, solve } from "../../generators/index.ts";
import type { JsonObject } from "../../schemas/index.ts";
import { median, round, table } from "./table.ts";

/**
 * Measures the time to find an instance, or to prove that none exists, for growing numbers of `if`/`then`/`else` over a few members.
 * Prints the median and the maximum over several schemas, in milliseconds of processor time.
 * Arguments: the number of members, and the maximum number of conditionals.
 */
export async function conditionals([members = "10", maxConditionals = "400"]: readonly string[]): Promise<void> {
  const rows: string[][] = [];
  await timeSchema(schemaOf(20, Number(members), { seed: 0, isSatisfiable: true }));
  for (let count = 25; count <= Number(maxConditionals); count *= 2) {
    for (const isSatisfiable of [true, false]) {
      const solvedSchemas: SolvedSchema[] = [];
      for (let seed = 1; seed <= schemasPerSize; seed += 1) {
        solvedSchemas.push(await timeSchema(schemaOf(count, Number(members), { seed, isSatisfiable })));
      }
      const countOf = (outcome: string) => solvedSchemas.filter((schema) => schema.outcome === outcome).length;
      const times = solvedSchemas.map(({ milliseconds }) => milliseconds);
      const outcomes = ["found", "none", "gaveUp", "wrong"].map((outcome) => String(countOf(outcome)));
      rows.push([
        `${count}${isSatisfiable ? ", satisfiable" : ""}`,
        ...outcomes,
        round(median(times)),
        round(Math.max(...times)),
      ]);
    }
  }
  console.log(table(["conditionals", "found", "none", "gave up", "wrong", "median ms", "longest"], rows));
}

const schemasPerSize = 9;
const memberValues = Array.from({ length: 6 }, (_, index) => `word${index}`);

interface SolvedSchema {
  outcome: string;
  milliseconds: number;
}

async function timeSchema(schema: JsonObject): Promise<SolvedSchema> {
  const model = await compileModel([schema], schema.$id as string);
  const usageBefore = process.cpuUsage();
  const solution = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }]);
  const { user, system } = process.cpuUsage(usageBefore);
  const isWrong = "found" in solution && !isValid(model, solution.found);
  return { outcome: isWrong ? "wrong" : (Object.keys(solution)[0] as string), milliseconds: (user + system) / 1000 };
}

/** Random conditionals over members with one of six words each. If satisfiable, `solution` satisfies all of them. */
function schemaOf(count: number, members: number, options: { seed: number; isSatisfiable: boolean }): JsonObject {
  const random = randomFrom(options.seed);
  const below = (limit: number) => (random.next() >>> 0) % limit;
  const names = Array.from({ length: members }, (_, index) => `member${index}`);
  const pick = <T>(values: readonly T[]) => values[below(values.length)] as T;
  const pickSome = (maxCount: number) => [
    ...new Set(Array.from({ length: 1 + below(maxCount) }, () => pick(memberValues))),
  ];
  const solution = new Map(names.map((name) => [name, pick(memberValues)]));
  const restrictMembers = (allowedValues: readonly [string, string[]][]) => ({
    properties: Object.fromEntries(allowedValues.map(([name, values]) => [name, { enum: values }])),
    required: allowedValues.map(([name]) => name),
  });
  const allOf = Array.from({ length: count }, () => {
    const condition = [...new Set([pick(names), pick(names)])]
      .slice(0, 1 + below(2))
      .map((name): [string, string[]] => [name, pickSome(2)]);
    const thenMember = pick(names);
    const thenValue = solution.get(thenMember) as string;
    const isMet = condition.every(([name, values]) => values.includes(solution.get(name) as string));
    const branch = (isActive: boolean) => {
      const values = pickSome(3);
      const mustAddValue = options.isSatisfiable && isActive && !values.includes(thenValue);
      return restrictMembers([[thenMember, mustAddValue ? [...values, thenValue] : values]]);
    };
    return { if: restrictMembers(condition), then: branch(isMet), ...(below(2) === 0 ? { else: branch(!isMet) } : {}) };
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `https://example.org/${count}-${options.seed}-${options.isSatisfiable}`,
    type: "object",
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { enum: memberValues }])),
    allOf,
  };
}
