import type { JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { cancel, outcomeOf, readStored, submit } from "./steps.ts";

/** More than 16, so that ids counted in a base above 16 have at least one digit that is not hexadecimal. */
const sampleCount = 20;

/** The id of a message and the resolution_id of its outcome. */
interface NamedMessage {
  message: string;
  outcome: string;
}

/** Ends several messages in sequence, and returns their ids and resolution_ids. */
async function collectIds(context: ScenarioContext): Promise<NamedMessage[]> {
  const namedMessages: NamedMessage[] = [];
  for (let index = 0; index < sampleCount; index++) {
    const { id } = await submit(context, ask(context));
    await cancel(context, id);
    const { resolution_id: outcome }: JsonObject = outcomeOf(await readStored(context, id)).envelope;
    if (typeof outcome === "string") namedMessages.push({ message: id, outcome });
  }
  return namedMessages;
}

/** The length of the common prefix of all strings. */
function commonLength(texts: readonly string[]): number {
  const [first = ""] = texts;
  let length = 0;
  while (length < first.length && texts.every((text) => text[length] === first[length])) length += 1;
  return length;
}

/** The strings without their common prefix and suffix. */
export function varyingParts(texts: readonly string[]): string[] {
  const start = commonLength(texts);
  const remainders = texts.map((text) => text.slice(start));
  const end = commonLength(remainders.map((text) => [...text].reverse().join("")));
  return remainders.map((text) => text.slice(0, text.length - end));
}

/** Other messages may end between two samples and be counted too, so a counter may increase by up to this number. */
const maxStep = 16;

/** Whether the varying part of the strings is a number that changes by a constant step or increases by small steps. */
export function isCounted(texts: readonly string[]): boolean {
  const parts = varyingParts(texts);
  // Longer ids are not tested in base 36: monotonic ids such as ULIDs increase by one within a millisecond.
  const areShort = texts.every((text) => text.replace(/^[a-z]+[_-]/i, "").length <= 8);
  return [10, 16, ...(areShort ? [36] : [])].some((base) => {
    const digits = { 10: /^\d{0,12}$/, 16: /^[0-9a-f]{0,12}$/i, 36: /^[0-9a-z]{0,8}$/i }[base] as RegExp;
    if (!parts.every((part) => digits.test(part))) return false;
    const numbers = parts.map((part) => Number.parseInt(part === "" ? "0" : part, base));
    const steps = numbers.slice(1).map((number, index) => number - (numbers[index] as number));
    const [first = 0] = steps;
    const isSame = first !== 0 && steps.every((step) => step === first);
    return isSame || steps.every((step) => step >= 1 && step <= maxStep);
  });
}

/** Whether the strings differ only in decimal numbers that never decrease, such as counters or times. */
export function isGrowing(texts: readonly string[]): boolean {
  const splitTexts = texts.map((text) => text.split(/(\d+)/));
  const [first = []] = splitTexts;
  const isDigits = (index: number): boolean => index % 2 === 1;
  const hasSameText = (parts: string[]): boolean =>
    parts.length === first.length && parts.every((part, index) => isDigits(index) || part === first[index]);
  if (!splitTexts.every(hasSameText) || new Set(texts).size === 1) return false;
  return first.every((_, index) => {
    if (!isDigits(index)) return true;
    const numbers = splitTexts.map((parts) => BigInt(parts[index] as string));
    return numbers.every((number, position) => position === 0 || number >= (numbers[position - 1] as bigint));
  });
}

/** Whether the resolution_ids can be derived from the ids of the messages. */
export function isDerived(namedMessages: readonly NamedMessage[]): boolean {
  const remainders = namedMessages.map(({ message, outcome }) => {
    const ownPart = message.replace(/^[a-z]+[_-]/i, "");
    return outcome.includes(ownPart) ? outcome.replace(ownPart, "") : undefined;
  });
  return remainders[0] !== undefined && new Set(remainders).size === 1;
}

export const opacity: readonly Scenario[] = [
  {
    name: "opacity-outcomes",
    says: "the resolution_id of an outcome reveals nothing about others",
    rules: ["AHCP-RSP-016"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const namedMessages = await collectIds(context);
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
