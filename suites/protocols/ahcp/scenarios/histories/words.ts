import type { HistoryOperation } from "../../../../running/histories/index.ts";
import type { Input, Output } from "./model.ts";

export type Op = HistoryOperation<Input, Output>;

/** Operations on one line each, with times since the first; ids and outcomes are numbered in the order of occurrence. */
export function linesOf(operations: readonly Op[]): string {
  const start = Math.min(...operations.map(({ call }) => call));
  const ids: string[] = [];
  const outcomes: string[] = [];
  const lines = operations.map(({ process, call, input, end }) => {
    const time = `${(call - start).toFixed(1)}-${end === undefined ? "" : (end.at - start).toFixed(1)} ms`;
    const outputText = end?.output === undefined ? "no answer" : outputIn(end.output, ids, outcomes);
    return `${time} ${process}: ${inputIn(input, ids)} -> ${outputText}`;
  });
  return lines.join("\n");
}

function inputIn(input: Input, ids: string[]): string {
  if (input.do === "submit") return input.variant === 0 ? "submit" : `submit with title ${input.variant}`;
  const of = "id" in input && numberOf(ids, input.id) > 1 ? ` #${numberOf(ids, input.id)}` : "";
  return input.do === "answer" ? `answer ${input.value}${of}` : `${input.do}${of}`;
}

function outputIn(output: Output, ids: string[], outcomes: string[]): string {
  switch (output.is) {
    case "taken":
      return `accepted as #${numberOf(ids, output.id)}, ${output.status}`;
    case "shown": {
      const { status, value, outcome, variant } = output;
      const outcomeText = outcome === undefined ? "" : `, resolution_id ${numberOf(outcomes, outcome)}`;
      const title = variant === 0 ? "" : ` (title ${variant})`;
      return `${status}${value === undefined ? "" : ` ${value}`}${outcomeText}${title}`;
    }
    case "told":
      return `refused: ${output.status}`;
    default:
      return output.is;
  }
}

function numberOf(all: string[], text: string): number {
  if (!all.includes(text)) all.push(text);
  return all.indexOf(text) + 1;
}
