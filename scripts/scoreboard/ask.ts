import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { home, type Report, type TargetConfig } from "../../schemas/index.ts";
import { runSuite } from "../../suites/index.ts";
import type { ScoredValidator } from "./validators.ts";

/** The milliseconds that one validator has for all vectors. */
const maxMs = 600_000;

/** The source around `make` of a validator: the exported function of the module, and `plain`. */
const frame = `
const validations = new Map();
export default async (instance, { schema, schemas }) => {
  if (!validations.has(schema)) validations.set(schema, (async () => make(schema, schemas))());
  return (await validations.get(schema))(instance);
};
const plain = (schemas) => schemas.map(({ $schema, ...schema }) => schema);
`;

/** Installs the packages of the validators into a folder. Needs the network. */
export function installPackages(folder: string, validators: readonly ScoredValidator[]): void {
  const packages = [...new Set(validators.flatMap(({ packages = [] }) => packages))];
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  if (packages.length === 0) return;
  const options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, ...packages], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

/** The version of a validator; undefined if it is not installed. */
export function versionOf({ packages: [firstPackage] = [], version }: ScoredValidator): string | undefined {
  if (firstPackage !== undefined) return firstPackage.slice(firstPackage.lastIndexOf("@") + 1);
  try {
    return execFileSync("sh", ["-c", version as string], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

/** Runs all vectors against a validator, except those that its claims exclude. */
export function runValidator(validator: ScoredValidator, folder: string, index: number): Promise<Report> {
  return runSuite({
    protocols: "all",
    target: targetOf(validator, folder, index),
    signal: AbortSignal.timeout(maxMs),
  });
}

/** The target for a validator. A validator in JavaScript is written into the folder as a module. */
export function targetOf(
  { module, claims, command = "" }: ScoredValidator,
  folder: string,
  index: number,
): TargetConfig {
  if (module === undefined) {
    return { kind: "command", command: command.replaceAll("$ADAPTERS", join(home, "suites", "adapters")) };
  }
  const file = join(folder, `${index}.mjs`);
  writeFileSync(file, `${module}${frame}export const claims = ${JSON.stringify(claims)};\n`);
  return { kind: "module", file };
}
