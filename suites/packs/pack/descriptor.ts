import { pathToFileURL } from "node:url";
import { isObject, nearestName, type Pack, type Protocol, shownPath, TouchstoneError } from "../../../schemas/index.ts";
import { importModule } from "../../base/import/module-import.ts";
import { entryOf, requireAllowedCode } from "./code.ts";
import { familiesFrom } from "./families.ts";

/** The export of each part in the module that its function loads. */
const exportNames: Readonly<Record<keyof Pack, string>> = {
  rules: "families",
  session: "session",
  answers: "answers",
  signer: "sign",
  walker: "walk",
  reference: "service",
  twin: "twin",
  scenarios: "scenarios",
  live: "live",
  walks: "walks",
  agent: "agent",
};

/** Parts that are functions themselves; a function for any other part loads it. */
const functionParts = new Set<string>(["session", "answers", "signer", "walker"]);

/** Loads the code in a pack's folder, if there is any. Throws a usage error that names the file if the code throws or has an unexpected shape. */
export async function loadPackCode(protocol: Protocol): Promise<Pack> {
  requireAllowedCode(protocol);
  const path = entryOf(protocol);
  if (path === undefined) return {};
  const file = shownPath(path);
  const exported = await importModule(pathToFileURL(path)).catch((cause: unknown) => {
    throw packCodeError(file, cause, "it cannot be loaded");
  });
  const pack = exported.pack ?? exported.default;
  if (!isObject(pack)) {
    const exportList = Object.keys(exported).join(", ");
    throw packShapeError(file, "pack", `it exports no pack${exportList === "" ? "" : ` (it exports ${exportList})`}`);
  }
  const parts = Object.entries(pack as Record<string, unknown>).map(([name, exportedPart]) => {
    if (!Object.hasOwn(exportNames, name)) {
      const names = Object.keys(exportNames);
      throw packShapeError(
        file,
        "pack",
        `a pack has no "${name}"`,
        `${nearestName(name, names)}its parts: ${names.join(", ")}`,
      );
    }
    return [name, () => convertPart(protocol, file, name as keyof Pack, exportedPart)];
  });
  return Object.fromEntries(parts) as Pack;
}

/** Converts one part to the form of the built-in packs: an object with the part under its name. */
async function convertPart(
  protocol: Protocol,
  file: string,
  name: keyof Pack,
  exportedPart: unknown,
): Promise<unknown> {
  const key = exportNames[name];
  const isPartItself = functionParts.has(name) && typeof exportedPart === "function" && exportedPart.length > 0;
  let loaded = exportedPart;
  if (typeof exportedPart === "function" && !isPartItself) {
    try {
      loaded = await exportedPart();
    } catch (cause) {
      throw packCodeError(file, cause, `pack.${name} throws`);
    }
  }
  const value = isObject(loaded) && key in loaded ? (loaded as Record<string, unknown>)[key] : loaded;
  if (value === undefined || value === null)
    throw packShapeError(file, `pack.${name}`, `it is ${value}`, `give ${key}, or a function that loads it`);
  if (name === "rules") {
    const { resign } = isObject(loaded) ? (loaded as { resign?: unknown }) : {};
    return { [key]: familiesFrom(value, protocol, file), ...(typeof resign === "function" ? { resign } : {}) };
  }
  if (name === "scenarios" && !Array.isArray(value)) throw packShapeError(file, `pack.${name}`, "it is not a list");
  if (functionParts.has(name) ? typeof value !== "function" : typeof value !== "object")
    throw packShapeError(file, `pack.${name}`, `it is ${typeof value}`, `give ${key}, or a function that loads it`);
  return { [key]: value };
}

/** The error for code of a pack that throws, with the line of the topmost stack frame in the file. */
export function packCodeError(file: string, cause: unknown, summary: string): TouchstoneError {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  // A stack frame has its place as `/path/file.mjs:LINE:COLUMN`, possibly with `file://` in front.
  const framePlaces = (error.stack ?? "").match(/(?:file:\/\/)?\/[^\s()]+?:\d+(?::\d+)?/g) ?? [];
  const frame = framePlaces
    .map((place) => place.replace("file://", ""))
    .find((place) => place.includes(file.replace(/^\.\//, "")));
  const [, lineAndColumn] = /(:\d+(?::\d+)?)$/.exec(frame ?? "") ?? [];
  return new TouchstoneError("usage", `${summary}: ${error.message.split("\n")[0]}`, {
    where: `${file}${lineAndColumn ?? ""}`,
    hint: "correct it, or remove the file: a pack may have only schemas",
    cause,
  });
}

/** The error for a pack with code of a wrong shape. */
export function packShapeError(file: string, at: string, problem: string, hint?: string): TouchstoneError {
  return new TouchstoneError("usage", problem, {
    where: `${file} (${at})`,
    hint:
      hint ??
      "export const pack = { rules: [{ checkers: [{ rule, check }], cases: [{ rule, document, valid, invalid }] }] }",
  });
}
