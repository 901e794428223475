import { extname } from "node:path";
import { isObject } from "../../../schemas/index.ts";
import { type Judges, judgesFrom } from "./judges.ts";
import { tsxFor } from "./typescript.ts";

/** Milliseconds for importing a module. */
export const importTime = 30_000;

/** What a module says of itself, as it travels between threads. */
export interface About {
  name?: unknown;
  claims?: unknown;
  /** Whether it takes the JSON text instead of a value. */
  text: boolean;
  /** Document names and schema ids that it judges; undefined: all. */
  documents?: string[];
}

/** Imports a user's module. Throws an Error with a sentence that a user can act on. */
export async function load(url: URL): Promise<{ judges: Judges; about: About }> {
  const own = await importing(url);
  const judges = judgesFrom(own.default);
  if (judges === undefined) {
    const there = Object.keys(own).filter((name) => name !== "__esModule");
    throw new Error(
      `its default export is no validator (it exports ${there.length === 0 ? "nothing" : there.join(", ")}): export a function, a Standard Schema, or an object of those by document name`,
    );
  }
  const about: About = { text: own.text === true };
  if (typeof own.name === "string") about.name = own.name;
  if (own.claims !== undefined) about.claims = own.claims;
  if (judges instanceof Map) about.documents = [...judges.keys()];
  return { judges, about };
}

/** Imports any module, a TypeScript one too where tsx is installed beside it. */
export async function importing(url: URL): Promise<Record<string, unknown>> {
  const typed =
    /^\.[cm]?tsx?$/.test(extname(url.pathname)) && !("typescript" in process.features && process.features.typescript);
  // Beforehand: an import that failed once fails again.
  if (typed) for (const hooks of tsxFor(url)) ((await import(hooks)) as { register(): void }).register();
  try {
    return ownOf(await import(url.href));
  } catch (error) {
    if (!typed || (error as NodeJS.ErrnoException).code !== "ERR_UNKNOWN_FILE_EXTENSION") throw error;
    throw new Error(
      `Node ${process.version} reads no TypeScript: install tsx beside it (npm install --save-dev tsx), or compile it`,
    );
  }
}

/** A CommonJS module compiled from TypeScript keeps its default export one level down. */
function ownOf(exported: Record<string, unknown>): Record<string, unknown> {
  const inner = exported.default;
  return isObject(inner) && (inner as Record<string, unknown>).__esModule === true ? inner : exported;
}
