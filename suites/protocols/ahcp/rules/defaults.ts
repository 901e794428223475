import { type Breach, type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { fitsForm } from "./form.ts";

/** The values that a resolver can choose: those of the options, or approve and deny in a confirm without options. */
export function choosableValues(request: JsonObject): string[] | undefined {
  const { mode, options } = request;
  if (options === undefined) return mode === "confirm" ? ["approve", "deny"] : undefined;
  if (!Array.isArray(options)) return undefined;
  return options.flatMap((option) => (isObject(option) && typeof option.value === "string" ? [option.value] : []));
}

const defaultPath = "/request/default_on_expire";

function* checkChoice(message: Json, mode: string): Iterable<Breach> {
  const request = pointer.at("/request", message);
  if (!isObject(request) || request.mode !== mode) return;
  const { default_on_expire: value = null } = request;
  const values = choosableValues(request);
  if (value === null || values === undefined || values.some((option) => option === value)) return;
  yield { at: defaultPath, why: `is ${showValue(value)}, which is the value of no option` };
}

export const defaultsCheckers: readonly Checker[] = [
  { rule: "AHCP-ASK-010", documents: ["message"], check: (message) => checkChoice(message, "select") },
  {
    rule: "AHCP-ASK-011",
    documents: ["message"],
    *check(message) {
      const request = pointer.at("/request", message);
      if (!isObject(request) || request.mode !== "input") return;
      const { default_on_expire: value = null, schema } = request;
      if (value === null) return;
      if (!isObject(value))
        yield { at: defaultPath, why: `is ${showValue(value)} instead of an object that fills in the form` };
      else if (!isObject(schema)) return;
      else if (fitsForm(schema)(value) === false) yield { at: defaultPath, why: "does not satisfy the form" };
      else if (fitsForm(schema, "asserting")(value) === false)
        yield { at: defaultPath, why: "satisfies the form only if formats are not asserted", level: "NOTE" };
    },
  },
  { rule: "AHCP-ASK-012", documents: ["message"], check: (message) => checkChoice(message, "confirm") },
];

/** The value as JSON for a reason, cut if it is long. */
export function showValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${[...text].slice(0, 60).join("")}…` : text;
}
