/** Whether a missing program fails the tests that need it, instead of skipping them. `.ci/run` sets the variable. */
export const isNothingOptional: boolean = process.env.TOUCHSTONE_TESTS === "all";

/** The reason for skipping tests that need a missing program, and how to install it. Undefined if they are to run. */
export function skipReason(isThere: boolean, name: string, remedy: string): string | undefined {
  return isThere || isNothingOptional ? undefined : `skipped, no ${name} here: ${remedy}`;
}

/** The title of tests that are skipped because something is missing, with the reason. */
export function titleWithReason(title: string, lacking: string | undefined): string {
  return lacking === undefined ? title : `${title} (${lacking})`;
}

/** How to install packages on Debian. */
export const onDebian = (names: string): string => `apt-get install ${names}`;
