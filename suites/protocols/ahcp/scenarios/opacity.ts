import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { cancel, outcomeOf, readStored, submit } from "./steps.ts";

/** More than 16: ids that are counted in a larger base than 16 then show a digit that is not hexadecimal. */
const sampleCount = 20;

interface NamedMessage {
  message: string;
  outcome: string;
}

/** Successive outcomes, each with the id of its message. */
async function endNamed(context: ScenarioContext): Promise<NamedMessage[]> {
  const namedMessages: NamedMessage[] = [];
  for (let index = 0; index < sampleCount; index++) {
    const { id } = await submit(context, ask(context));
    await cancel(context, id);
    const { resolution_id: outcome }: JsonObject = outcomeOf(await readStored(context, id)).envelope;
    if (typeof outcome === "string") namedMessages.push({ message: id, outcome });
  }
  return namedMessages;
}

/** The length of the common beginning of all texts. */
function commonLength(texts: readonly string[]): number {
  const [first = ""] = texts;
  let length = 0;
  while (length < first.length && texts.every((text) => text[length] === first[length])) length += 1;
  return length;
}

/** The texts without their common beginning and end. */
export function middlesOf(texts: readonly string[]): string[] {
  const start = commonLength(texts);
  const remainders = texts.map((text) => text.slice(start));
  const end = commonLength(remainders.map((text) => [...text].reverse().join("")));
  return remainders.map((text) => text.slice(0, text.length - end));
}

/** The maximum number of other messages that may end between two samples, and be counted, too. */
const maxIds = 16;

/** Whether the changing part of the texts is a number that grows by the same step each time, or by a few. */
export function isCounted(texts: readonly string[]): boolean {
  const parts = middlesOf(texts);
  // A longer text after its prefix may be a time that increases by one within a millisecond, after many random characters.
  const areShort = texts.every((text) => text.replace(/^[a-z]+[_-]/i, "").length <= 8);
  return [10, 16, ...(areShort ? [36] : [])].some((base) => {
    const digits = { 10: /^\d{0,12}$/, 16: /^[0-9a-f]{0,12}$/i, 36: /^[0-9a-z]{0,8}$/i }[base] as RegExp;
    if (!parts.every((part) => digits.test(part))) return false;
    const numbers = parts.map((part) => Number.parseInt(part === "" ? "0" : part, base));
    const steps = numbers.slice(1).map((number, index) => number - (numbers[index] as number));
    const [first = 0] = steps;
    const isSame = first !== 0 && steps.every((step) => step === first);
    return isSame || steps.every((step) => step >= 1 && step <= maxIds);
  });
}

/** Whether only decimal numbers change from text to text, and none decreases: counters, times, and both together. */
export function isGrowing(texts: readonly string[]): boolean {
  const split = texts.map((text) => text.split(/(\d+)/));
  const [first = []] = split;
  const isDigits = (index: number): boolean => index % 2 === 1;
  const sameShape = (parts: string[]): boolean =>
    parts.length === first.length && parts.every((part, index) => isDigits(index) || part === first[index]);
  if (!split.every(sameShape) || new Set(texts).size === 1) return false;
  return first.every((_, index) => {
    if (!isDigits(index)) return true;
    const numbers = split.map((parts) => BigInt(parts[index] as string));
    return numbers.every((number, place) => place === 0 || number >= (numbers[place - 1] as bigint));
  });
}

/** Whether the ids of messages reveal those of their outcomes. */
export function isDerived(namedMessages: readonly NamedMessage[]): boolean {
  const rests = namedMessages.map(({ message, outcome }) => {
    const ownPart = message.replace(/^[a-z]+[_-]/i, "");
    return outcome.includes(ownPart) ? outcome.replace(ownPart, "") : undefined;
  });
  return rests[0] !== undefined && new Set(rests).size === 1;
}

export const opacity: readonly Scenario[] = [
  {
    name: "opacity-outcomes",
    says: "the id of an outcome reveals nothing about others",
    rules: ["AHCP-RSP-016"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const namedMessages = await endNamed(context);
      if (namedMessages.length < sampleCount)
        return context.skip("AHCP-RSP-016", "cancelled asks have no resolution_id");
      const ids = namedMessages.map(({ outcome }) => outcome);
      const isOrdered = isCounted(ids) || isGrowing(ids);
      context.expect("AHCP-RSP-016", !isOrdered, `outcomes are counted: ${ids.slice(0, 3).join(", ")}, …`);
      if (isOrdered) return;
      if (new Set(ids).size < ids.length) return context.skip("AHCP-RSP-016", "outcomes share their resolution_id");
      const [{ message, outcome } = { message: "", outcome: "" }] = namedMessages;
      const why = `the outcome of ${message} is named ${outcome}, and the others are derived from their messages in the same way`;
      context.expect("AHCP-RSP-016", !isDerived(namedMessages), why);
    },
  },
];
