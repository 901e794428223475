import { runtimeChoices } from "./choices/index.ts";

/** A runtime that breaks no rule, but uses some freedoms differently from the reference. */
export interface RuntimeTwin {
  name: string;
  /** The names of its choices. */
  choices: readonly string[];
  freedoms: readonly string[];
}

const makeTwin = (name: string, choices: readonly string[]): RuntimeTwin => ({
  name,
  choices,
  freedoms: [
    ...new Set(
      runtimeChoices
        .filter((runtimeChoice) => choices.includes(runtimeChoice.name))
        .flatMap(({ freedoms }) => freedoms),
    ),
  ],
});

export const runtimeTwins: readonly RuntimeTwin[] = [
  makeTwin("lenient", [
    "leaves-fields-out",
    "ends-with-what-there-is",
    "asks-at-last",
    "counts-batches",
    "sends-model-alone",
    "text-ids",
  ]),
  makeTwin("selective", [
    "lacks-loop",
    "refuses-reserved-aliases",
    "fails-when-refused",
    "merges-by-alias",
    "one-at-a-time",
  ]),
];
