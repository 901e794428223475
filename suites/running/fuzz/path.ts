/** A path of fast-check with numbers that are repeated at least three times written once, with the count: `57:1:0:0:0:0` is `57:1:0x4`. */
export function shortPath(path: string): string {
  return path.replace(/(?<=:)(\d+)(?::\1(?!\d)){2,}/g, (same, number) => `${number}x${same.split(":").length}`);
}

/** The path in the form of fast-check. */
export function wholePath(path: string): string {
  return path.replace(/(\d+)x(\d+)/g, (_, number, count) =>
    Array.from({ length: Number(count) }, () => number).join(":"),
  );
}
