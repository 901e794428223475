import type { NotChecked } from "./statement.ts";

/** The results that a certificate does not cover, a line for each reason. */
export function notCheckedLines(all: readonly NotChecked[]): string[] {
  const reasons = [...new Set(all.map(({ why }) => why))];
  return reasons.map((why) => {
    const withReason = all.filter((notChecked) => notChecked.why === why);
    const parts = withReason.map((notChecked, index) => {
      const { protocol, version } = withReason[index - 1] ?? {};
      const isSame = protocol === notChecked.protocol && version === notChecked.version;
      return `${isSame ? "" : `${notChecked.protocol} ${notChecked.version} `}${notChecked.profile}, ${notChecked.results} results`;
    });
    return `not checked: ${parts.join("; ")} (${why})`;
  });
}
