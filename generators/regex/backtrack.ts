import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** A step of a backtracking engine: it reads one character, chooses, or looks around; its next step depends on it. */
type Instruction =
  | { op: "end" }
  | { op: "read"; fits: (code: number) => boolean; next: Instruction }
  | { op: "choose"; among: readonly Instruction[] }
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

/** How often each open loop has turned, and where its turn began. */
interface Turns {
  count: number;
  from: number;
  outer: Turns | undefined;
}

/**
 * Searches a text as the engines of JavaScript do, one way after the other, and counts. Undefined after so many steps that the real
 * search may never end. Groups are not remembered: a reference to one counts as nothing.
 */
export function stepsOf(pattern: string): (text: string, most: number) => number | undefined {
  const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const program: Program = { start: choice(tree.alternatives, { op: "end" }, 1), step: 1 };
  return (text, most) => {
    const codes = Array.from(text, (character) => character.codePointAt(0) as number);
    const left = { steps: most };
    for (let at = 0; at <= codes.length; at += 1) {
      const found = search(program, codes, at, left);
      if (left.steps < 0) return undefined;
      if (found) break;
    }
    return most - left.steps;
  };
}

function search({ start, step }: Program, text: readonly number[], at: number, left: { steps: number }): boolean {
  const open: Instruction[] = [start];
  const places: number[] = [at];
  const loops: (Turns | undefined)[] = [undefined];
  const later = (instruction: Instruction, where: number, turns: Turns | undefined) => {
    open.push(instruction);
    places.push(where);
    loops.push(turns);
  };
  for (let instruction = open.pop(); instruction !== undefined; instruction = open.pop()) {
    left.steps -= 1;
    if (left.steps < 0) return false;
    const here = places.pop() as number;
    const turns = loops.pop();
    switch (instruction.op) {
      case "end":
        return true;
      case "read": {
        const index = step === 1 ? here : here - 1;
        if (index >= 0 && index < text.length && instruction.fits(text[index] as number))
          later(instruction.next, here + step, turns);
        break;
      }
      case "choose":
        for (const each of instruction.among) later(each, here, turns);
        break;
      case "check":
        if (instruction.holds(text, here)) later(instruction.next, here, turns);
        break;
      case "look":
        if (search(instruction.program, text, here, left) !== instruction.negate) later(instruction.next, here, turns);
        break;
      case "begin":
        later(instruction.again, here, { count: 0, from: -1, outer: turns });
        break;
      case "again": {
        const { min, max, greedy, body, next } = instruction.loop;
        const { count, from, outer } = turns as Turns;
        // A turn that reads nothing ends a loop that has turned often enough.
        if (from === here && count > min) break;
        if (greedy && count >= min) later(next, here, outer);
        if (count < max) later(body, here, { count: count + 1, from: here, outer });
        if (!greedy && count >= min) later(next, here, outer);
      }
    }
  }
  return false;
}

function choice(alternatives: readonly AST.Alternative[], next: Instruction, step: 1 | -1): Instruction {
  const among = alternatives.map(({ elements }) =>
    (step === 1 ? [...elements].reverse() : elements).reduce((after, element) => build(element, after, step), next),
  );
  // The last added step comes first.
  return among.length === 1 ? (among[0] as Instruction) : { op: "choose", among: among.reverse() };
}

function build(element: AST.Element, next: Instruction, step: 1 | -1): Instruction {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return choice(element.alternatives, next, step);
    case "Quantifier": {
      const { min, max, greedy } = element;
      const loop: RepeatedGroup = { min, max, greedy, body: next, next };
      const again: Instruction = { op: "again", loop };
      loop.body = build(element.element, again, step);
      return { op: "begin", again };
    }
    case "Assertion":
      return assertion(element, next);
    case "Backreference":
      return next;
    default:
      return { op: "read", fits: reader(element.raw), next };
  }
}

function assertion(element: AST.Assertion, next: Instruction): Instruction {
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
      const program: Program = { start: choice(element.alternatives, { op: "end" }, step), step };
      return { op: "look", program, next, negate: element.negate };
    }
  }
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && /^\w$/.test(String.fromCodePoint(code));
}

function reader(raw: string): (code: number) => boolean {
  const known: (boolean | undefined)[] = [];
  const one = new RegExp(`^(?:${raw})$`, "u");
  return (code) => {
    if (code > 0x7f) return one.test(String.fromCodePoint(code));
    known[code] ??= one.test(String.fromCodePoint(code));
    return known[code];
  };
}
