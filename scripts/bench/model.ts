import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { compileModel, findBreakableSites, identifier, isValid, solve } from "../../generators/index.ts";
import { type Json, type JsonObject, TouchstoneError } from "../../schemas/index.ts";

interface BenchGroup {
  description: string;
  schema: JsonObject | boolean;
  tests: { description: string; data: Json; valid: boolean }[];
}

const dialect = "https://json-schema.org/draft/2020-12/schema";
const remoteBase = "http://localhost:1234/";

/**
 * Measures the model and the solver on a copy of the official JSON Schema tests (draft 2020-12, required tests only).
 * Counts instances with the official verdict, satisfiable schemas with a valid instance, and breakable assertions with an instance that
 * breaks only this assertion.
 */
export async function model(args: readonly string[]): Promise<void> {
  const [folder] = args;
  if (folder === undefined) {
    throw new TouchstoneError("usage", "bench model needs the folder of the official tests", {
      hint: "npm run bench model -- DIR, with DIR/tests/draft2020-12 and DIR/remotes",
    });
  }
  const remotes = remoteSchemas(join(folder, "remotes"));
  const tally = { instances: 0, right: 0, satisfiable: 0, witnessed: 0, sites: 0, broken: 0, proven: 0 };
  const complaints: string[] = [];
  const testsFolder = join(folder, "tests", "draft2020-12");
  for (const file of readdirSync(testsFolder)
    .filter((name) => name.endsWith(".json"))
    .sort()) {
    // Hyperjump does not register schemas with a file: URI. The scheme does not change the meaning.
    const text = readFileSync(join(testsFolder, file), "utf8").replaceAll("file:///", "https://file.example/");
    const groups = JSON.parse(text) as BenchGroup[];
    for (const [index, group] of groups.entries()) {
      const name = `${file} ${group.description}`;
      try {
        await measure(group, `https://official.example/${file}/${index}`, {
          remotes,
          tally,
          complain: (complaint) => complaints.push(`${name}: ${complaint}`),
        });
      } catch (error) {
        tally.instances += group.tests.length;
        complaints.push(`${name}: ${(error as Error).message.split("\n")[0]}`);
      }
    }
  }
  for (const line of complaints) console.log(line);
  console.log(`verdicts: ${tally.right} of ${tally.instances} instances have the official verdict`);
  console.log(`witnesses: a valid instance for ${tally.witnessed} of ${tally.satisfiable} satisfiable schemas`);
  console.log(
    `faults: ${tally.broken} of ${tally.sites} assertions isolated, ${tally.proven} proven unbreakable alone, ${tally.sites - tally.broken - tally.proven} left`,
  );
}

type BenchTally = {
  instances: number;
  right: number;
  satisfiable: number;
  witnessed: number;
  sites: number;
  broken: number;
  proven: number;
};

async function measure(
  group: BenchGroup,
  id: string,
  {
    remotes,
    tally,
    complain,
  }: { remotes: readonly JsonObject[]; tally: BenchTally; complain: (complaint: string) => void },
): Promise<void> {
  const schema: JsonObject = typeof group.schema === "boolean" ? { allOf: [group.schema] } : { ...group.schema };
  if (typeof schema.$id !== "string") schema.$id = id;
  schema.$schema ??= dialect;
  const schemas = [schema, ...remotes.filter((remote) => identifier(remote) !== identifier(schema))];
  const compiled = await compileModel(schemas, identifier(schema));
  for (const { description, data, valid } of group.tests) {
    tally.instances += 1;
    if (isValid(compiled, data, { ignoresFormat: () => true }) === valid) tally.right += 1;
    else complain(`"${description}" judged ${valid ? "invalid" : "valid"}`);
  }
  const root = { op: "schema", node: compiled.root, sign: true, scope: {} } as const;
  const solution = solve(compiled, [root], { budget: 50_000 });
  if (group.tests.some(({ valid }) => valid) || "found" in solution) {
    tally.satisfiable += 1;
    if ("found" in solution && isValid(compiled, solution.found)) tally.witnessed += 1;
    else complain(`no valid instance: ${JSON.stringify(solution)}`);
  } else if ("gaveUp" in solution) complain(`satisfiable? ${solution.gaveUp}`);
  if (!("found" in solution)) return;
  for (const [site, outcome] of findBreakableSites({ model: compiled, samples: [], elsewhere: new Set() })) {
    tally.sites += 1;
    if (outcome === "broken") tally.broken += 1;
    else if (outcome.startsWith("no instance breaks it alone")) tally.proven += 1;
    else complain(`${site.slice(site.indexOf("#"))} not broken: ${outcome}`);
  }
}

function remoteSchemas(folder: string): JsonObject[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .flatMap((entry): JsonObject[] => {
      const path = join(entry.parentPath, entry.name);
      const schema = JSON.parse(readFileSync(path, "utf8")) as JsonObject;
      const dialects = String(schema.$schema ?? dialect);
      if (!dialects.includes("2020-12") && dialects !== dialect) return [];
      const address = remoteBase + relative(folder, path);
      const id = typeof schema.$id === "string" ? new URL(schema.$id, address).href : address;
      const document: JsonObject = { ...schema, $schema: schema.$schema ?? dialect, $id: id };
      // A remote schema is registered under its own identifier and under its address.
      return id === address ? [document] : [document, { $schema: dialect, $id: address, $ref: id }];
    });
}
