/** Set by .ci/run, and by developers who have everything that tests need: then a missing program is a failure, and no test is skipped because of one. */
export const isAllThere: boolean = process.env.TOUCHSTONE_TESTS === "all";

/** The reason for skipping tests that need something missing here, and how to install it; undefined if the tests can run. If nothing may be missing, they run anyway, and fail. */
export function lackingHere(isThere: boolean, name: string, remedy: string): string | undefined {
  return isThere || isAllThere ? undefined : `skipped, no ${name} here: ${remedy}`;
}

/** The title of tests that are skipped because something is missing, with the reason. */
export function titleLacking(title: string, lacking: string | undefined): string {
  return lacking === undefined ? title : `${title} (${lacking})`;
}

/** How to install packages on Debian. */
export const onDebian = (names: string): string => `apt-get install ${names}`;
