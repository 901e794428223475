import type { NotChecked } from "./statement.ts";

/** Describes the results that a certificate does not cover, in one line for each reason. */
export function formatNotChecked(entries: readonly NotChecked[]): string[] {
  const reasons = [...new Set(entries.map(({ why }) => why))];
  return reasons.map((why) => {
    const withReason = entries.filter((notChecked) => notChecked.why === why);
    const parts = withReason.map((notChecked, index) => {
      const { protocol, version } = withReason[index - 1] ?? {};
      const isSameProtocol = protocol === notChecked.protocol && version === notChecked.version;
      const prefix = isSameProtocol ? "" : `${notChecked.protocol} ${notChecked.version} `;
      return `${prefix}${notChecked.profile}, ${notChecked.results} results`;
    });
    return `not checked: ${parts.join("; ")} (${why})`;
  });
}
