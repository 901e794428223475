import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import {
  besideFirst,
  type Config,
  type Fault,
  faultsIn,
  type Json,
  pointer,
  type Text,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { readTextFile } from "../../base/format/file-text.ts";
import { rememberSecrets, secretsIn } from "../../base/secrets/index.ts";
import { fillVariables, type IsUsed, secretMembers } from "./environment.ts";
import { isConfigData } from "./find.ts";
import { placeInProject, projectIn, splitConfig } from "./projects.ts";

/** Reads a configuration, or one project of it (`FILE#PROJECT`), and fills in the environment variables that are used. Throws a usage error with the place of the wrong value. */
export async function readConfig(file: string, environment: NodeJS.ProcessEnv, isUsed?: IsUsed): Promise<Config> {
  const config = await (isConfigData(file) ? readText : readModule)(file, environment, isUsed);
  rememberSecrets(secretsIn(config));
  return config;
}

/** Returns the location of a part of a configuration, with line and column if it is JSON or YAML. */
export async function placeInConfig(file: string, at: string): Promise<string> {
  if (!isConfigData(file)) return placeInModule(file, at);
  const { file: path, project } = splitConfig(file);
  const text = await readTextFile(path);
  return placeInText(path, text, placeInProject(text.value, project, at));
}

function placeInModule(file: string, at: string): string {
  return `${file}${at === "" ? "" : ` (#${showPlace(at)})`}`;
}

function placeInText(file: string, text: Text, at: string): string {
  const { line, column } = text.locate(at);
  return `${file}:${line}:${column}${at === "" ? "" : ` (#${showPlace(at)})`}`;
}

/** Replaces names in a pointer that are not plain words or numbers: they may be misplaced secrets. */
function showPlace(at: string): string {
  return at.replace(/[^/]+/g, (name) => (/^(\d+|\$?[a-z]{1,16}([-_][a-z]{1,16}){0,3})$/i.test(name) ? name : "…"));
}

async function readText(configPath: string, environment: NodeJS.ProcessEnv, isUsed?: IsUsed): Promise<Config> {
  const { file, project } = splitConfig(configPath);
  const text = await readTextFile(file).catch((error: unknown) => {
    throw withoutQuotes(error);
  });
  const locate = (at: string): string => placeInText(file, text, placeInProject(text.value, project, at));
  const check: ConfigCheck = [locate, "the format is schemas/touchstone/config.schema.json"];
  if (text.value === null)
    throw new TouchstoneError("usage", "the configuration file is empty", {
      where: file,
      hint: `leave it out with --no-config, or let touchstone init write one; ${check[1]}`,
    });
  const value = projectIn(text.value, project, file);
  requireValid(value as Json, ...check);
  const config = fillVariables(value as Config, environment, check[0], isUsed);
  // Checked again, because a variable may contain an invalid address.
  requireValid(config as unknown as Json, ...check);
  return config;
}

/** Removes quoted parts of the text from an error about unreadable text, because they may be secrets. */
function withoutQuotes(error: unknown): unknown {
  if (!(error instanceof TouchstoneError)) return error;
  // Without a place in the text, the file itself cannot be read.
  if (!/:\d+:\d+$/.test(error.where ?? "")) return error;
  const [problem = "", ...expectations] = error.what.split(", expected ");
  const unquotedProblem = problem
    .replace(/"(?:[^"\\]|\\.)*"?/gs, "something else")
    .replace(/[*&!]\S+/g, "something else")
    .replace(/:.*$/s, "");
  const { kind, where, hint } = error;
  const location = { ...(where === undefined ? {} : { where }), ...(hint === undefined ? {} : { hint }) };
  return new TouchstoneError(kind, [unquotedProblem, ...expectations].join(", expected "), location);
}

/** Reads a configuration that is a module. Its hooks may be functions. */
async function readModule(configPath: string, environment: NodeJS.ProcessEnv, isUsed?: IsUsed): Promise<Config> {
  const { file, project } = splitConfig(configPath);
  const exported = await importDefault(file);
  const config = typeof exported === "function" ? exported : projectIn(exported, project, file);
  if (typeof config === "function") {
    throw new TouchstoneError("usage", "its default export is a function: export the object itself", {
      where: file,
      hint: "asynchronous settings can be a promise: export default settings()",
    });
  }
  const locate = (at: string): string => placeInModule(file, at);
  const check: ConfigCheck = [locate, "export the configuration by default: export default defineConfig({ … })"];
  requireValid(plainJson(config), ...check);
  const filledConfig = fillVariables(config as Config, environment, locate, isUsed);
  requireValid(plainJson(filledConfig), ...check);
  return filledConfig;
}

type ConfigCheck = [locate: (path: string) => string, defaultHint: string];

/** Throws a usage error for the first fault of a configuration; its hint lists the others. A possible secret is not quoted. */
function requireValid(config: Json, place: (at: string) => string, defaultHint: string): void {
  rememberSecrets(secretsIn(config));
  const faults = faultsIn("config", config).map((fault): Fault => {
    const value = pointer.at(fault.at, config);
    const isSecret = secretMembers.some((secretMember) => secretMember.test(`${fault.at}/`)) || !isPlainWord(value);
    if (fault.what.startsWith("its name: ") && showPlace(fault.at).includes("…"))
      return { at: fault.at, what: "its name is not valid here (not shown: it may be a secret)" };
    return isSecret && !isCompound(value) ? { at: fault.at, what: withoutValue(fault.what, value) } : fault;
  });
  const [firstFault, ...otherFaults] = faults;
  if (firstFault === undefined) return;
  const hint = `${firstFault.hint ?? defaultHint}${besideFirst(
    firstFault,
    otherFaults.map((fault) => (fault.at === firstFault.at ? fault : { ...fault, at: showPlace(fault.at) })),
  )}`;
  throw new TouchstoneError("usage", firstFault.what, { where: place(firstFault.at), hint });
}

/** Whether a value can be quoted without revealing a secret: a plain word can, but not an address, a command or a key. */
function isPlainWord(value: Json | undefined): boolean {
  return typeof value !== "string" || /^[a-z]{1,12}(-[a-z]{1,12}){0,3}$/.test(value);
}

/** Describes a fault of a value that may be a secret, without quoting it. */
function withoutValue(problem: string, value: Json | undefined): string {
  const form = /has not the form (.*)$/s.exec(problem)?.[1];
  const isFormUnknown = form === undefined || typeof value !== "string";
  return `the value ${isFormUnknown ? "is not valid here" : `does not match ${form}`} (not shown: it may be a secret)`;
}

/** Whether a value has parts: an error about it quotes only the names of the parts. */
function isCompound(value: Json | undefined): boolean {
  return typeof value === "object" && value !== null;
}

/** Imports the default export of a module. Output of the module goes to stderr, so that it does not mix with a report. */
async function importDefault(file: string): Promise<unknown> {
  const { importModule, importTimeout } = await import("../../base/import/module-import.ts");
  const { stdout, stderr } = process;
  const { write } = stdout;
  stdout.write = stderr.write.bind(stderr);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`its promise did not settle within ${importTimeout / 1000} s`)),
      importTimeout,
    );
    // The timer alone must not keep the process alive, so that the process ends early if nothing can settle the promise.
    timer.unref();
  });
  try {
    const reading = importModule(pathToFileURL(resolve(file))).then((exported) => exported.default);
    return await Promise.race([reading, timeout]);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TouchstoneError("usage", `the configuration cannot be read: ${problem}`, {
      where: file,
      hint: "give a JSON or YAML file, or a module with a default export",
      cause,
    });
  } finally {
    clearTimeout(timer);
    stdout.write = write;
  }
}

/** Converts a value to JSON, with each function replaced by a command. */
function plainJson(config: unknown): Json {
  const text = JSON.stringify(config, (_, value) => (typeof value === "function" ? { command: "function" } : value));
  return text === undefined ? null : (JSON.parse(text) as Json);
}
