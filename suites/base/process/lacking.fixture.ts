/** Whether a missing program fails the tests that need it, instead of skipping them. `.ci/run` sets the variable. */
export const isNothingOptional: boolean = process.env.TOUCHSTONE_TESTS === "all";

/** Returns the reason for skipping tests that need a missing program, and how to install it; undefined if the tests are to run. */
export function skipReason(isThere: boolean, name: string, remedy: string): string | undefined {
  return isThere || isNothingOptional ? undefined : `skipped, no ${name} here: ${remedy}`;
}

/** Adds the reason to the title of tests that are skipped because something is missing. */
export function titleWithReason(title: string, lacking: string | undefined): string {
  return lacking === undefined ? title : `${title} (${lacking})`;
}

/** How to install packages on Debian. */
export const onDebian = (names: string): string => `apt-get install ${names}`;
