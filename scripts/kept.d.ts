export const home: string;

/** The folder with what `make(own, target)` writes, made once for the same words and sources; undefined when `make` returns false. */
export function keepFolder(
  kind: string,
  words: string,
  sources: readonly string[],
  make: (own: string, target: string) => Promise<boolean>,
): Promise<string | undefined>;
