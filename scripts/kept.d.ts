export const home: string;

/** The folder that `make(own, target)` writes, made once for the same words and sources; undefined if `make` returns false. */
export function keepFolder(
  kind: string,
  words: string,
  sources: readonly string[],
  make: (own: string, target: string) => Promise<boolean>,
): Promise<string | undefined>;
