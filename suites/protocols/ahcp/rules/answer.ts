import { type Breach, type Checker, equal, isObject, type Json } from "../../../../schemas/index.ts";
import { choosableValues, showValue } from "./defaults.ts";
import { defaultActor, defaultOf, exchangeIn, type ResponseExchange, withMessage, withResponse } from "./exchange.ts";
import { obscureKeywords } from "./flatness.ts";
import { fitsForm } from "./form.ts";
import { isReference, sensitiveFields, withoutReferences } from "./sensitive.ts";

export const answerCheckers: readonly Checker[] = [
  {
    rule: "AHCP-RSP-010",
    documents: withMessage,
    *check(instance, document): Iterable<Breach> {
      const exchange = exchangeIn(instance, document);
      const { request, resolution, detail, at } = exchange ?? {};
      if (exchange === undefined || request === undefined || resolution !== "answered") return;
      // The value of any other outcome is not an answer. Other rules check it.
      const value = detail?.value;
      if (value === undefined) return;
      const misfit = request.mode === "input" ? unfitForForm(exchange, value) : unfitForOptions(exchange, value);
      if (misfit === undefined) return;
      // The specification does not restrict the value of an edited answer, but its type must not change.
      const isWarning = detail?.edited === true && misfit.type === undefined;
      yield { at: `${at}/response/value`, why: misfit.why, ...(isWarning ? { level: "SHOULD" } : {}) };
    },
  },
  {
    rule: "AHCP-RSP-011",
    documents: withResponse,
    *check(instance, document): Iterable<Breach> {
      const exchange = exchangeIn(instance, document);
      const { type, resolution, detail, at } = exchange ?? {};
      if (exchange === undefined || type !== "ask" || detail === undefined) return;
      const { value } = detail;
      const valuePath = `${at}/response/value`;
      if (resolution === "answered" && value === undefined)
        yield { at: `${at}/response`, why: "has no value although the ask is answered" };
      if ((resolution === "declined" || resolution === "cancelled") && value !== undefined)
        yield { at: valuePath, why: `is a value although the ask is ${resolution}`, level: "SHOULD" };
      if (resolution !== "expired") return;
      const defaultAnswer = defaultOf(exchange);
      if (defaultAnswer === undefined) {
        if (value !== undefined) yield { at: valuePath, why: "is a value although the ask has no default" };
      } else if (value === undefined) yield { at: `${at}/response`, why: "lacks the default of the ask as its value" };
      else if (!equal(value, defaultAnswer))
        yield { at: valuePath, why: `is ${showValue(value)} and not the default of the ask` };
    },
  },
  {
    rule: "AHCP-RSP-012",
    documents: withResponse,
    *check(instance, document) {
      const exchange = exchangeIn(instance, document);
      if (exchange !== undefined) yield* checkDefault(exchange);
    },
  },
];

/** Checks that `defaulted`, the actor and the default fit together. */
function* checkDefault(exchange: ResponseExchange): Iterable<Breach> {
  const { type, message, envelope, resolution, detail, at } = exchange;
  const actor = typeof detail?.actor === "string" ? detail.actor : undefined;
  const isMarkedDefaulted = envelope.defaulted === true;
  const isDefaultActor = actor === defaultActor;
  const flagPath = `${at}/defaulted`;
  const actorPath = `${at}/response/actor`;
  // If `defaulted` is true, the schema already requires `expired` and the default actor.
  if (resolution !== "expired") {
    if (isDefaultActor) yield { at: actorPath, why: `applies defaults, and the message is ${resolution}` };
  } else if (type === "ask" && defaultOf(exchange) !== undefined) {
    if (!isMarkedDefaulted)
      yield { at: envelope.defaulted === undefined ? at : flagPath, why: "does not say that the default was applied" };
  } else if (isMarkedDefaulted && actor === undefined && type === undefined) {
    yield { at: flagPath, why: "is true without a response that holds the default" };
  } else if (actor?.startsWith("human:"))
    yield { at: actorPath, why: `is "${actor}", and no person resolves an expired message` };
  else if (message !== undefined && type !== undefined) {
    // The ask had no default, or the message is a task. Members that claim a default only cause a warning.
    if (isMarkedDefaulted) yield { at: flagPath, why: "is true although there was no default", level: "SHOULD" };
    if (actor !== undefined && !actor.startsWith("system:"))
      yield { at: actorPath, why: `is "${actor}", which is not a system that lets messages expire`, level: "SHOULD" };
  }
}

interface UnfitAnswer {
  why: string;
  /** Whether the value has the wrong type for the mode. */
  type?: true;
}

function unfitForOptions({ request, message }: ResponseExchange, value: Json): UnfitAnswer | undefined {
  if (typeof value !== "string") {
    if (message?.sensitive === true && isReference(value)) return undefined;
    return { why: `is ${showValue(value)}, although a text was to be chosen`, type: true };
  }
  const values = request === undefined ? undefined : choosableValues(request);
  if (values === undefined || values.includes(value)) return undefined;
  return { why: `is ${showValue(value)}, which is the value of no option` };
}

function unfitForForm({ request, message }: ResponseExchange, value: Json): UnfitAnswer | undefined {
  if (!isObject(value))
    return { why: `is ${showValue(value)} instead of an object that fills in the form`, type: true };
  const form = request?.schema;
  if (!isObject(form) || (message?.sensitive === true && isReference(value))) return undefined;
  const fields = sensitiveFields(form, message?.sensitive === true);
  if (fitsForm(withoutReferences(form, fields))(value) !== false) return undefined;
  // Other keywords of the form may also apply to the fields, and may refuse a reference.
  const isAnsweredByReference = fields.some((name) => Object.hasOwn(value, name) && isReference(value[name] ?? null));
  if (
    isAnsweredByReference &&
    [...obscureKeywords, "patternProperties"].some((keyword) => Object.hasOwn(form, keyword))
  )
    return undefined;
  return { why: "does not satisfy the form" };
}
