import type { LiveChoice, LiveReference, Protocol } from "../../../schemas/index.ts";
import { sidesOf } from "../scenarios/sides.ts";

/** Choices of a correct party that exclude each other. */
export interface Factor {
  name: string;
  choices: readonly LiveChoice[];
}

/** Returns the factors of one side, in the order of their first choices. */
export function factorsOf(protocol: Protocol, { choices = [] }: LiveReference, side: string | undefined): Factor[] {
  const [usualSide] = sidesOf(protocol);
  const factors = new Map<string, LiveChoice[]>();
  for (const choice of choices) {
    if ((choice.side ?? usualSide) !== (side ?? usualSide)) continue;
    const name = choice.factor ?? choice.name;
    factors.set(name, [...(factors.get(name) ?? []), choice]);
  }
  return [...factors].map(([name, choicesOfFactor]) => ({ name, choices: choicesOfFactor }));
}

/** Removes one choice after another while the rest still shows the effect. The result is minimal: without any one of its choices, the effect disappears. */
export async function reduceChoices(
  choices: readonly string[],
  stillShows: (withoutChoice: readonly string[]) => Promise<boolean>,
): Promise<string[]> {
  let remaining = [...choices];
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const choice of remaining) {
      const withoutChoice = remaining.filter((name) => name !== choice);
      if (!(await stillShows(withoutChoice))) continue;
      remaining = withoutChoice;
      isChanged = true;
    }
  }
  return remaining;
}
