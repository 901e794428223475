import { pathToFileURL } from "node:url";
import { isObject, nearestName, type Pack, type Protocol, shownPath, TouchstoneError } from "../../../schemas/index.ts";
import { importModule } from "../../base/import/module-import.ts";
import { entryOf, mustBeAllowed } from "./code.ts";
import { familiesFrom } from "./families.ts";

/** The name of each part inside the module that its function loads. */
const inner: Readonly<Record<keyof Pack, string>> = {
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

/** Parts that are functions themselves, rather than functions that load a part. */
const callable = new Set<string>(["session", "answers", "signer", "walker"]);

/** The code in a pack's folder, if there is any. Throws a usage error that names the file if the code throws or has another shape. */
export async function descriptorIn(protocol: Protocol): Promise<Pack> {
  mustBeAllowed(protocol);
  const path = entryOf(protocol);
  if (path === undefined) return {};
  const file = shownPath(path);
  const exported = await importModule(pathToFileURL(path)).catch((cause: unknown) => {
    throw failedPackCode(file, cause, "it cannot be loaded");
  });
  const pack = exported.pack ?? exported.default;
  if (!isObject(pack)) {
    const there = Object.keys(exported).join(", ");
    throw misshapenPack(file, "pack", `it exports no pack${there === "" ? "" : ` (it exports ${there})`}`);
  }
  const parts = Object.entries(pack as Record<string, unknown>).map(([name, given]) => {
    if (!Object.hasOwn(inner, name)) {
      const names = Object.keys(inner);
      throw misshapenPack(
        file,
        "pack",
        `a pack has no "${name}"`,
        `${nearestName(name, names)}its parts: ${names.join(", ")}`,
      );
    }
    return [name, () => part(protocol, file, name as keyof Pack, given)];
  });
  return Object.fromEntries(parts) as Pack;
}

/** Converts one part to the form of the built-in packs: an object with the part under its name. */
async function part(protocol: Protocol, file: string, name: keyof Pack, given: unknown): Promise<unknown> {
  const key = inner[name];
  const isItself = callable.has(name) && typeof given === "function" && given.length > 0;
  let made = given;
  if (typeof given === "function" && !isItself) {
    try {
      made = await given();
    } catch (cause) {
      throw failedPackCode(file, cause, `pack.${name} breaks down`);
    }
  }
  const value = isObject(made) && key in made ? (made as Record<string, unknown>)[key] : made;
  if (value === undefined || value === null)
    throw misshapenPack(file, `pack.${name}`, `it is ${value}`, `give ${key}, or a function that loads it`);
  if (name === "rules") {
    const { resign } = isObject(made) ? (made as { resign?: unknown }) : {};
    return { [key]: familiesFrom(value, protocol, file), ...(typeof resign === "function" ? { resign } : {}) };
  }
  if (name === "scenarios" && !Array.isArray(value)) throw misshapenPack(file, `pack.${name}`, "it is not a list");
  if (callable.has(name) ? typeof value !== "function" : typeof value !== "object")
    throw misshapenPack(file, `pack.${name}`, `it is ${typeof value}`, `give ${key}, or a function that loads it`);
  return { [key]: value };
}

/** The error for code of a pack that throws; its line is the topmost one in the file's own folder. */
export function failedPackCode(file: string, cause: unknown, what: string): TouchstoneError {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const own = (error.stack ?? "").match(/(?:file:\/\/)?\/[^\s()]+?:\d+(?::\d+)?/g) ?? [];
  const line = own.map((each) => each.replace("file://", "")).find((each) => each.includes(file.replace(/^\.\//, "")));
  const [, place] = /(:\d+(?::\d+)?)$/.exec(line ?? "") ?? [];
  return new TouchstoneError("usage", `${what}: ${error.message.split("\n")[0]}`, {
    where: `${file}${place ?? ""}`,
    hint: "correct it, or remove the file: a pack may have only schemas",
    cause,
  });
}

/** The error for a pack with code of a wrong shape. */
export function misshapenPack(file: string, at: string, what: string, hint?: string): TouchstoneError {
  return new TouchstoneError("usage", what, {
    where: `${file} (${at})`,
    hint:
      hint ??
      "export const pack = { rules: [{ checkers: [{ rule, check }], cases: [{ rule, document, valid, invalid }] }] }",
  });
}
