export const home: string;

/** The folder that `make` writes, made once for the same key and sources; undefined if `make` returns false. */
export function keepFolder(
  kind: string,
  key: string,
  sources: readonly string[],
  make: (partialFolder: string, target: string) => Promise<boolean>,
): Promise<string | undefined>;
