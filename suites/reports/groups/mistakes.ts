import type { Result, Run } from "../../../schemas/index.ts";

/** A common mistake: the ids of the vectors that it makes an implementation accept, and a description. */
interface CommonMistake {
  idPattern: RegExp;
  says: string;
}

const commonMistakes: readonly CommonMistake[] = [
  {
    idPattern: /__proto__/,
    says: "a member named __proto__ is not checked, because libraries such as Zod drop it. To JSON Schema it is a member like any other; --skip '**/*__proto__*{,/**}' leaves it out.",
  },
  {
    idPattern:
      /line-feed(-may-follow)?-at-the-end|token-white-space\/line-feed$|\/(final|trailing)-line-feed$|\/line-feed-after$|-and-line-feed$/,
    says: "a line feed at the end of a text is accepted, because `$` of a regular expression also matches before it (in Python, PHP, Perl, Ruby, .NET and Java). In JSON Schema `$` is the end of the text: write \\Z in Python, \\z elsewhere, or compare the whole text.",
  },
];

/** A mistake that is the likely cause of some results. */
export interface LikelyMistake {
  says: string;
  results: readonly Result[];
}

/** Finds the mistakes that probably explain the wrongly accepted messages of a run. If other vectors of an assertion fail too, it must be a different mistake. */
export function likelyMistakes({ results }: Run): LikelyMistake[] {
  const wronglyAccepted = results.filter(
    ({ outcome, answer, known }) => outcome === "violates" && answer?.verdict === "accepted" && known === undefined,
  );
  return commonMistakes.flatMap(({ idPattern, says }): LikelyMistake[] => {
    const otherAssertions = new Set(wronglyAccepted.filter(({ id }) => !idPattern.test(id)).map(assertionOf));
    const markedResults = wronglyAccepted.filter(
      (result) => idPattern.test(result.id) && !otherAssertions.has(assertionOf(result)),
    );
    return markedResults.length === 0 ? [] : [{ says, results: markedResults }];
  });
}

/** Returns the assertion of a result, or its rule, because a semantic rule has no site. */
function assertionOf({ site, rule }: Result): string | undefined {
  return site ?? rule;
}
