/** Abbreviates a path of fast-check: a number that is repeated at least three times is written once, with the count. `57:1:0:0:0:0` becomes `57:1:0x4`. */
export function shortPath(path: string): string {
  return path.replace(
    /(?<=:)(\d+)(?::\1(?!\d)){2,}/g,
    (repetition, number) => `${number}x${repetition.split(":").length}`,
  );
}

/** Expands an abbreviated path to the form of fast-check. */
export function wholePath(path: string): string {
  return path.replace(/(\d+)x(\d+)/g, (_, number, count) =>
    Array.from({ length: Number(count) }, () => number).join(":"),
  );
}
