import type { HistoryOperation } from "../../../../running/histories/index.ts";
import type { Input, Output } from "./model.ts";

export type AskOperation = HistoryOperation<Input, Output>;

/** Formats operations, one per line, with times since the first. Ids and outcomes are numbered in order of occurrence. */
export function formatOperations(operations: readonly AskOperation[]): string {
  const start = Math.min(...operations.map(({ call }) => call));
  const ids: string[] = [];
  const outcomes: string[] = [];
  const lines = operations.map(({ process, call, input, end }) => {
    const time = `${(call - start).toFixed(1)}-${end === undefined ? "" : (end.at - start).toFixed(1)} ms`;
    const outputText = end?.output === undefined ? "no answer" : formatOutput(end.output, ids, outcomes);
    return `${time} ${process}: ${formatInput(input, ids)} -> ${outputText}`;
  });
  return lines.join("\n");
}

function formatInput(input: Input, ids: string[]): string {
  if (input.do === "submit") return input.variant === 0 ? "submit" : `submit with title ${input.variant}`;
  const askText = "id" in input && numberOf(ids, input.id) > 1 ? ` #${numberOf(ids, input.id)}` : "";
  return input.do === "answer" ? `answer ${input.value}${askText}` : `${input.do}${askText}`;
}

function formatOutput(output: Output, ids: string[], outcomes: string[]): string {
  switch (output.is) {
    case "accepted":
      return `accepted as #${numberOf(ids, output.id)}, ${output.status}`;
    case "shown": {
      const { status, value, outcome, variant } = output;
      const outcomeText = outcome === undefined ? "" : `, resolution_id ${numberOf(outcomes, outcome)}`;
      const title = variant === 0 ? "" : ` (title ${variant})`;
      return `${status}${value === undefined ? "" : ` ${value}`}${outcomeText}${title}`;
    }
    case "reported":
      return `refused: ${output.status}`;
    default:
      return output.is;
  }
}

function numberOf(knownTexts: string[], text: string): number {
  if (!knownTexts.includes(text)) knownTexts.push(text);
  return knownTexts.indexOf(text) + 1;
}
