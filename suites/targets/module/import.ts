import { extname } from "node:path";
import { kebab } from "../../../schemas/light-entry.ts";
import { importModule } from "../../base/import/module-import.ts";
import { isShape, isStandard, judgesFrom, type ModuleJudges } from "./judges.ts";

/** The self-description of a module, as sent between threads. */
export interface AboutModule {
  name?: unknown;
  claims?: unknown;
  /** Whether the module receives JSON text instead of a value. */
  text: boolean;
  /** The document names and schema ids that the module judges; all if undefined. */
  documents?: string[];
  /** Whether the document names are the names of the module's exports, which may include other things. */
  isGathered?: true;
  /** Whether the module only applies schemas. */
  isShape?: true;
}

/** Imports a user's module. Throws an Error whose message contains a remedy. */
export async function loadModule(url: URL): Promise<{ judges: ModuleJudges; about: AboutModule }> {
  const moduleExports = await importModule(url).catch((error: unknown) => {
    throw isUnsupportedFile(error) ? unsupportedFileError(url) : error;
  });
  const { default: exported = schemasIn(moduleExports) } = moduleExports;
  const judges = judgesFrom(exported);
  if (judges === undefined) {
    // A loader may accept any file.
    if (!/^(\.[cm]?[jt]sx?|)$/.test(extname(url.pathname))) throw unsupportedFileError(url);
    const exportNames = Object.keys(moduleExports).filter((name) => name !== "__esModule");
    throw new Error(
      `its default export is not a validator (it exports ${exportNames.length === 0 ? "nothing" : exportNames.join(", ")}): export by default a function, a Standard Schema, or an object of those by document name; without a default export, Standard Schemas by the names of documents`,
    );
  }
  const about: AboutModule = { text: moduleExports.text === true };
  if (typeof moduleExports.name === "string") about.name = moduleExports.name;
  if (moduleExports.claims !== undefined) about.claims = moduleExports.claims;
  if (isShape(exported)) about.isShape = true;
  if (judges instanceof Map) about.documents = [...judges.keys()];
  if (moduleExports.default === undefined) about.isGathered = true;
  return { judges, about };
}

function isUnsupportedFile(error: unknown): boolean {
  const { code = "" } = (error ?? {}) as NodeJS.ErrnoException;
  // Node 20 and later versions have different codes for JSON that is imported without an attribute.
  return /^ERR_(UNKNOWN_FILE_EXTENSION|IMPORT_(ATTRIBUTE|ASSERTION_TYPE)_MISSING)$/.test(code);
}

function unsupportedFileError(url: URL): Error {
  return new Error(
    `expected a module of JavaScript or TypeScript (.mjs, .js, .ts) that exports a function, got a file ${extname(url.pathname)}`,
  );
}

/** Finds the Standard Schemas that a module exports by name. Each is returned under the name of the document that `generate --module` makes from it. */
function schemasIn(moduleExports: Record<string, unknown>): Record<string, unknown> {
  const schemas = Object.entries(moduleExports).filter(([, value]) => isStandard(value));
  return Object.fromEntries(schemas.map(([name, value]) => [kebab(name), value]));
}
