import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Document, Reason } from "../../../schemas/index.ts";
import { isObject } from "../../../schemas/light-entry.ts";
import { show, showError } from "../../base/text/show.ts";
import { reasonsFrom } from "../reasons.ts";

/** The second argument of a module's function. */
export interface Context {
  /** The name of the document, such as `message`. */
  document: string;
  /** The `$id` of the document's schema. */
  schema: string;
  protocol: string;
  version: string;
  /** Every schema of the protocol. */
  schemas: readonly unknown[];
  /** Whether the input is YAML, not JSON text. Only for modules that claim `yaml-text`. */
  yaml?: true;
}

/** The result of one question, in the form that is passed between processes. */
export type ModuleResult =
  | { valid: boolean; reasons: Reason[] }
  | {
      stage: string;
      message: string;
      /** The error that the function threw, as text. */
      threw?: string;
    };

/** Judges one instance; never throws. Returns a promise only if the module's own validator does. */
export type ModuleJudge = (instance: unknown, context: Context) => ModuleResult | Promise<ModuleResult>;

/** One judge for all documents, or one per document name or schema `$id`. */
export type ModuleJudges = ModuleJudge | Map<string, ModuleJudge>;

/** Converts the default export of a module to judges; undefined if it cannot judge. */
export function judgesFrom(exported: unknown): ModuleJudges | undefined {
  const judge = judgeFrom(exported);
  if (judge !== undefined) return judge;
  if (!isObject(exported)) return undefined;
  const entries = exported instanceof Map ? [...exported] : Object.entries(exported);
  const judges = new Map<string, ModuleJudge>();
  for (const [name, value] of entries) {
    const namedJudge = judgeFrom(value);
    if (namedJudge === undefined) return undefined;
    judges.set(String(name), namedJudge);
  }
  return judges.size === 0 ? undefined : judges;
}

/** Whether the exports of a module are known to check only a schema, as Ajv validators and Standard Schemas do. */
export function isShape(exported: unknown): boolean {
  if (isStandard(exported)) return true;
  if (typeof exported === "function") return "schemaEnv" in exported;
  if (!isObject(exported)) return false;
  const values: unknown[] = exported instanceof Map ? [...exported.values()] : Object.values(exported);
  return values.length > 0 && values.every((value) => !isPlain(value) && isShape(value));
}

function isPlain(value: unknown): boolean {
  return isObject(value) && !isStandard(value);
}

export function judgeFor(
  judges: ModuleJudges,
  { name, schema }: Pick<Document, "name" | "schema">,
): ModuleJudge | undefined {
  return judges instanceof Map ? (judges.get(name) ?? judges.get(schema)) : judges;
}

function judgeFrom(value: unknown): ModuleJudge | undefined {
  if (isStandard(value)) {
    const standard = value["~standard"];
    return guardAsk((instance) => standard.validate(instance), fromStandard);
  }
  if (typeof value !== "function") return undefined;
  // An Ajv validator stores its errors in a property of the function, which its next call overwrites.
  const readResult = (result: unknown): ModuleResult => fromFunction(result, (value as { errors?: unknown }).errors);
  return guardAsk(value as (instance: unknown, context: Context) => unknown, readResult);
}

function guardAsk(
  ask: (instance: unknown, context: Context) => unknown,
  readResult: (result: unknown) => ModuleResult,
): ModuleJudge {
  const reportCrash = (error: unknown): ModuleResult => {
    const errorText = showError(error);
    return { stage: "crash", message: `the module threw ${errorText}`, threw: errorText };
  };
  return (instance, context) => {
    try {
      const result = ask(instance, context);
      return isPromise(result) ? Promise.resolve(result).then(readResult).catch(reportCrash) : readResult(result);
    } catch (error) {
      return reportCrash(error);
    }
  };
}

function fromFunction(result: unknown, errors: unknown): ModuleResult {
  if (typeof result === "boolean") return { valid: result, reasons: result ? [] : reasonsFrom(errors) };
  if (isObject(result) && typeof result.valid === "boolean") {
    return { valid: result.valid, reasons: reasonsFrom(result.valid ? result.warnings : result.errors) };
  }
  return {
    stage: "answer",
    message: `the module returned ${show(result)} instead of true, false or {valid, errors}`,
  };
}

function fromStandard(result: unknown): ModuleResult {
  // ArkType returns an array that is also its own `issues`.
  if (typeof result === "object" && result !== null) {
    const { issues } = result as { issues?: unknown };
    if (Array.isArray(issues)) return { valid: false, reasons: reasonsFrom(issues) };
    if (!issues && "value" in result) return { valid: true, reasons: [] };
  }
  return { stage: "answer", message: `validate returned ${show(result)} instead of {value} or {issues}` };
}

export function isStandard(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return typeof (value as Partial<StandardSchemaV1>)["~standard"]?.validate === "function";
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === "function";
}
