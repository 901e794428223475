import type { LiveChoice, LiveReference, Protocol } from "../../../schemas/index.ts";
import { sidesOf } from "../scenarios/sides.ts";

/** Choices of a correct party that exclude each other. */
export interface Factor {
  name: string;
  choices: readonly LiveChoice[];
}

/** The factors of one side, in the order of their first choices. */
export function factorsOf(protocol: Protocol, { choices = [] }: LiveReference, side: string | undefined): Factor[] {
  const [usualSide] = sidesOf(protocol);
  const factors = new Map<string, LiveChoice[]>();
  for (const choice of choices) {
    if ((choice.side ?? usualSide) !== (side ?? usualSide)) continue;
    const name = choice.factor ?? choice.name;
    factors.set(name, [...(factors.get(name) ?? []), choice]);
  }
  return [...factors].map(([name, of]) => ({ name, choices: of }));
}

/** Leaves out one choice after another, as long as the rest still shows the effect. The result is minimal: without any one of its choices it does not. */
export async function reduceChoices(
  choices: readonly string[],
  shows: (withoutChoice: readonly string[]) => Promise<boolean>,
): Promise<string[]> {
  let remaining = [...choices];
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const choice of remaining) {
      const withoutChoice = remaining.filter((each) => each !== choice);
      if (!(await shows(withoutChoice))) continue;
      remaining = withoutChoice;
      isChanged = true;
    }
  }
  return remaining;
}
