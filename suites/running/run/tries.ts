import type { Result } from "../../../schemas/index.ts";
import { failsRun } from "../../results/exit.ts";
import { judgeTries, needsAnotherTry, type Retry } from "../../results/retry.ts";
import type { AskedCase } from "./asker.ts";
import type { RunCase } from "./case.ts";

/** The attempts at failing vectors. */
export interface Tries {
  /** Records a failing first answer, so that its vector is tried again. Returns whether it fails. */
  takes(askedCase: AskedCase): boolean;
  /** Returns the vectors that need another attempt. */
  open(cases: readonly RunCase[]): RunCase[];
  /** Adds the answer of a further attempt. */
  add(askedCase: AskedCase): void;
  /** Returns the decisive answer for each vector, and for a flaky one its result over all attempts. */
  judged(): { seen: AskedCase; flaky: Result | undefined }[];
}

export function triesOf(retry: Retry): Tries {
  const triesById = new Map<string, AskedCase[]>();
  return {
    takes(askedCase) {
      if (!failsRun(askedCase.result, retry.failOn)) return false;
      triesById.set(askedCase.result.id, [askedCase]);
      return true;
    },
    open: (cases) =>
      cases.filter(({ vector }) => {
        const tries = triesById.get(vector.id);
        return tries !== undefined && needsAnotherTry(resultsOf(tries), retry);
      }),
    add: (askedCase) => void triesById.get(askedCase.result.id)?.push(askedCase),
    judged: () =>
      [...triesById.values()].map((tries) => {
        const { index: decidingIndex, flaky } = judgeTries(resultsOf(tries) as [Result, ...Result[]], retry);
        return { seen: tries[decidingIndex] as AskedCase, flaky };
      }),
  };
}

function resultsOf(tries: readonly AskedCase[]): Result[] {
  return tries.map(({ result }) => result);
}
