import type { NotChecked } from "./statement.ts";

/** The results that a certificate does not cover, a line for each reason. */
export function notCheckedLines(all: readonly NotChecked[]): string[] {
  const reasons = [...new Set(all.map(({ why }) => why))];
  return reasons.map((why) => {
    const those = all.filter((each) => each.why === why);
    const parts = those.map((each, index) => {
      const { protocol, version } = those[index - 1] ?? {};
      const isSame = protocol === each.protocol && version === each.version;
      return `${isSame ? "" : `${each.protocol} ${each.version} `}${each.profile}, ${each.results} results`;
    });
    return `not checked: ${parts.join("; ")} (${why})`;
  });
}
