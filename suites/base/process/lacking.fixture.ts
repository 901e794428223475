/** Set by .ci/run, and by anyone who has all that tests need: then nothing may be lacking, and no test is skipped for want of it. */
export const isAllThere: boolean = process.env.TOUCHSTONE_TESTS === "all";

/**
 * What is said of tests that cannot run here, and how to have what they need; undefined if they can run. If nothing may be lacking they
 * run all the same, and fail.
 */
export function lackingHere(isThere: boolean, what: string, how: string): string | undefined {
  return isThere || isAllThere ? undefined : `skipped, no ${what} here: ${how}`;
}

/** The title of tests that are skipped where something is lacking, with the reason. */
export function titleLacking(title: string, lacking: string | undefined): string {
  return lacking === undefined ? title : `${title} (${lacking})`;
}

/** How all of it is installed on Debian. */
export const onDebian = (names: string): string => `apt-get install ${names}`;
