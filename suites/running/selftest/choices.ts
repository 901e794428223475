import type { LiveChoice, LiveReference, Protocol } from "../../../schemas/index.ts";
import { sidesOf } from "../scenarios/sides.ts";

/** Choices of a correct party that exclude each other. */
export interface Factor {
  name: string;
  choices: readonly LiveChoice[];
}

/** The factors of one side, in the order of their first choices. */
export function factorsOf(protocol: Protocol, { choices = [] }: LiveReference, side: string | undefined): Factor[] {
  const [usual] = sidesOf(protocol);
  const factors = new Map<string, LiveChoice[]>();
  for (const choice of choices) {
    if ((choice.side ?? usual) !== (side ?? usual)) continue;
    const name = choice.factor ?? choice.name;
    factors.set(name, [...(factors.get(name) ?? []), choice]);
  }
  return [...factors].map(([name, of]) => ({ name, choices: of }));
}

/** Leaves out one choice after another, as long as the rest still shows the effect. The result is minimal: without any one of its choices it does not. */
export async function reduceChoices(
  choices: readonly string[],
  shows: (fewer: readonly string[]) => Promise<boolean>,
): Promise<string[]> {
  let left = [...choices];
  for (let changed = true; changed; ) {
    changed = false;
    for (const choice of left) {
      const fewer = left.filter((each) => each !== choice);
      if (!(await shows(fewer))) continue;
      left = fewer;
      changed = true;
    }
  }
  return left;
}
