import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject, nearestName, type PlacedRule, type Protocol, ruleFault, shownPath } from "../../../schemas/index.ts";
import { importModule } from "../../base/import/module-import.ts";
import { requireAllowedCode } from "./code.ts";
import { packCodeError } from "./descriptor.ts";

/** The exports of a code file, and its path. */
export interface PackExport {
  value: unknown;
  file: string;
}

/** Finds the export that `FILE#EXPORT` names, relative to the pack: an export of the file, or the checker or scenario with that name in the exported pack. Throws a usage error with file and line if it is missing, or if the pack's code may not be loaded. */
export async function findExport(
  protocol: Protocol,
  reference: string,
  { family }: PlacedRule,
  at: string,
): Promise<PackExport> {
  requireAllowedCode(protocol);
  const [codeFile = "", name = ""] = reference.split(/#(.*)/s);
  const path = join(protocol.folder, codeFile);
  if (codeFile.split(/[/\\]/).includes(".."))
    throw ruleFault(family, at, `${codeFile} is outside of the pack`, "name a file in the folder of the pack");
  if (!existsSync(path))
    throw ruleFault(
      family,
      at,
      `there is no file ${codeFile}`,
      "name a file of code, relative to the folder of the pack",
    );
  const file = shownPath(path);
  const moduleExports = await importModule(pathToFileURL(path)).catch((cause: unknown) => {
    throw packCodeError(file, cause, "it cannot be loaded");
  });
  const packParts = packPartsByName(moduleExports.pack ?? moduleExports.default);
  const value = Object.hasOwn(moduleExports, name) ? moduleExports[name] : packParts.get(name);
  if (value !== undefined) return { value, file };
  const names = [...Object.keys(moduleExports), ...packParts.keys()];
  throw ruleFault(
    family,
    at,
    `${codeFile} exports no ${name}`,
    `${nearestName(name, names)}it exports: ${names.join(", ") || "nothing"}`,
  );
}

/** The checkers of an exported pack by their rules, and its scenarios by their names. Parts that are functions are not read. */
function packPartsByName(pack: unknown): Map<string, unknown> {
  const parts = new Map<string, unknown>();
  if (!isObject(pack)) return parts;
  const { rules, scenarios } = pack as Record<string, unknown>;
  const checkers = listOf(rules).flatMap((family) => listOf((family as { checkers?: unknown })?.checkers));
  for (const checker of checkers) parts.set(String((checker as { rule?: unknown })?.rule), checker);
  for (const scenario of listOf(scenarios)) parts.set(String((scenario as { name?: unknown })?.name), scenario);
  return parts;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
