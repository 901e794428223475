import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** A step of a backtracking engine: it reads one character, chooses, or looks around. */
type Instruction =
  | { op: "end" }
  | { op: "read"; fits: (code: number) => boolean; next: Instruction }
  | { op: "choose"; alternatives: readonly Instruction[] }
  | { op: "check"; holds: (text: readonly number[], at: number) => boolean; next: Instruction }
  | { op: "look"; program: Program; next: Instruction; negate: boolean }
  | { op: "begin"; again: Instruction }
  | { op: "again"; loop: RepeatedGroup };

interface Program {
  start: Instruction;
  step: 1 | -1;
}

interface RepeatedGroup {
  min: number;
  max: number;
  greedy: boolean;
  body: Instruction;
  next: Instruction;
}

/** The iterations of each open loop, and the start of the current one. */
interface Turns {
  count: number;
  from: number;
  outer: Turns | undefined;
}

/**
 * Counts the steps of a backtracking search, as JavaScript engines do it. Undefined if the count exceeds the maximum, because
 * the real search may then never end. Groups are not stored, so a back-reference matches the empty string.
 */
export function stepsOf(pattern: string): (text: string, maxSteps: number) => number | undefined {
  const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const program: Program = { start: buildChoice(tree.alternatives, { op: "end" }, 1), step: 1 };
  return (text, maxSteps) => {
    const codes = Array.from(text, (character) => character.codePointAt(0) as number);
    const budget = { steps: maxSteps };
    for (let at = 0; at <= codes.length; at += 1) {
      const hasMatch = search(program, codes, at, budget);
      if (budget.steps < 0) return undefined;
      if (hasMatch) break;
    }
    return maxSteps - budget.steps;
  };
}

function search({ start, step }: Program, text: readonly number[], at: number, budget: { steps: number }): boolean {
  const stack: Instruction[] = [start];
  const positions: number[] = [at];
  const loops: (Turns | undefined)[] = [undefined];
  const push = (instruction: Instruction, position: number, turns: Turns | undefined) => {
    stack.push(instruction);
    positions.push(position);
    loops.push(turns);
  };
  for (let instruction = stack.pop(); instruction !== undefined; instruction = stack.pop()) {
    budget.steps -= 1;
    if (budget.steps < 0) return false;
    const position = positions.pop() as number;
    const turns = loops.pop();
    switch (instruction.op) {
      case "end":
        return true;
      case "read": {
        const index = step === 1 ? position : position - 1;
        if (index >= 0 && index < text.length && instruction.fits(text[index] as number))
          push(instruction.next, position + step, turns);
        break;
      }
      case "choose":
        for (const alternative of instruction.alternatives) push(alternative, position, turns);
        break;
      case "check":
        if (instruction.holds(text, position)) push(instruction.next, position, turns);
        break;
      case "look":
        if (search(instruction.program, text, position, budget) !== instruction.negate)
          push(instruction.next, position, turns);
        break;
      case "begin":
        push(instruction.again, position, { count: 0, from: -1, outer: turns });
        break;
      case "again": {
        const { min, max, greedy, body, next } = instruction.loop;
        const { count, from, outer } = turns as Turns;
        // An iteration that reads nothing ends the loop, once the minimum is reached.
        if (from === position && count > min) break;
        if (greedy && count >= min) push(next, position, outer);
        if (count < max) push(body, position, { count: count + 1, from: position, outer });
        if (!greedy && count >= min) push(next, position, outer);
      }
    }
  }
  return false;
}

function buildChoice(alternatives: readonly AST.Alternative[], next: Instruction, step: 1 | -1): Instruction {
  const branches = alternatives.map(({ elements }) =>
    (step === 1 ? [...elements].reverse() : elements).reduce(
      (after, element) => buildElement(element, after, step),
      next,
    ),
  );
  // The last step that was pushed is executed first.
  return branches.length === 1 ? (branches[0] as Instruction) : { op: "choose", alternatives: branches.reverse() };
}

function buildElement(element: AST.Element, next: Instruction, step: 1 | -1): Instruction {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return buildChoice(element.alternatives, next, step);
    case "Quantifier": {
      const { min, max, greedy } = element;
      const loop: RepeatedGroup = { min, max, greedy, body: next, next };
      const again: Instruction = { op: "again", loop };
      loop.body = buildElement(element.element, again, step);
      return { op: "begin", again };
    }
    case "Assertion":
      return buildAssertion(element, next);
    case "Backreference":
      return next;
    default:
      return { op: "read", fits: readerOf(element.raw), next };
  }
}

function buildAssertion(element: AST.Assertion, next: Instruction): Instruction {
  switch (element.kind) {
    case "start":
      return { op: "check", holds: (_, at) => at === 0, next };
    case "end":
      return { op: "check", holds: (text, at) => at === text.length, next };
    case "word":
      return {
        op: "check",
        holds: (text, at) => (isWord(text[at - 1]) !== isWord(text[at])) !== element.negate,
        next,
      };
    default: {
      const step = element.kind === "lookahead" ? 1 : -1;
      const program: Program = { start: buildChoice(element.alternatives, { op: "end" }, step), step };
      return { op: "look", program, next, negate: element.negate };
    }
  }
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && /^\w$/.test(String.fromCodePoint(code));
}

function readerOf(raw: string): (code: number) => boolean {
  const asciiResults: (boolean | undefined)[] = [];
  const pattern = new RegExp(`^(?:${raw})$`, "u");
  return (code) => {
    if (code > 0x7f) return pattern.test(String.fromCodePoint(code));
    asciiResults[code] ??= pattern.test(String.fromCodePoint(code));
    return asciiResults[code];
  };
}
