const isGap = (line: string): boolean => line.trim() === "…";

/** Whether a text matches a page: a line `…` means any lines, and `…` within a line any text. */
export function isAsShown(text: string, shown: string): boolean {
  const lines = linesOf(text);
  /** The possible ends in the text of the part shown so far. */
  let ends = new Set([0]);
  for (const line of linesOf(shown)) {
    if (isGap(line)) ends = rangeOf(Math.min(...ends), lines.length);
    else {
      const fitting = [...ends].filter((end) => end < lines.length && fitsLine(lines[end] as string, line));
      ends = new Set(fitting.map((at) => at + 1));
    }
    if (ends.size === 0) return false;
  }
  return ends.has(lines.length);
}

function rangeOf(first: number, last: number): Set<number> {
  return new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

/** The text as a page shows it that showed another one: the lines that resemble the shown ones, and the others as `…`. */
export function rewriteShown(text: string, shown: string): string {
  if (isAsShown(text, shown)) return shown;
  const lines = linesOf(text);
  const before = linesOf(shown).filter((line) => !isGap(line));
  if (before.length === linesOf(shown).length && lines.length <= Math.max(before.length + 5, 15))
    return lines.join("\n");
  const kept = keptOf(lines, before);
  const known = before.filter((line) => line !== "").length;
  if (kept.size * 5 < known * 2) for (const index of ends(lines.length)) kept.set(index, lines[index] as string);
  return elideLines(lines, kept);
}

/** The lines of a text that resemble the shown ones, each by its index, in the form to show. */
function keptOf(lines: readonly string[], before: readonly string[]): Map<number, string> {
  const kept = new Map<number, string>();
  for (const line of before) {
    if (line === "") continue;
    const free = [...lines.keys()].filter((index) => !kept.has(index) && lines[index] !== "");
    const same = free.find((index) => fitsLine(lines[index] as string, line));
    const [nearest] = free
      .map((index) => ({ index, likeness: likeness(lines[index] as string, line) }))
      .sort((a, b) => b.likeness - a.likeness);
    if (same !== undefined) kept.set(same, line);
    else if (nearest !== undefined && nearest.likeness > 0.6) kept.set(nearest.index, lines[nearest.index] as string);
  }
  return kept;
}

/** The first and the last lines, which show most. */
function ends(count: number): number[] {
  return [...Array(count).keys()].filter((index) => index < 10 || index >= count - 5);
}

function elideLines(lines: readonly string[], kept: ReadonlyMap<number, string>): string {
  const shown: string[] = [];
  let left: string[] = [];
  const close = (): void => {
    const first = left.find((line) => line !== "");
    if (first === undefined) shown.push(...left);
    else shown.push(`${/^\s*/.exec(first)?.[0] ?? ""}…`);
    left = [];
  };
  for (const [index, line] of lines.entries()) {
    const as = kept.get(index);
    if (as === undefined) left.push(line);
    else {
      close();
      shown.push(as);
    }
  }
  close();
  return shown.join("\n");
}

function fitsLine(line: string, shown: string): boolean {
  const parts = shown
    .trimEnd()
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}\\s*$`).test(line);
}

/** The share of words that two lines have in common, from 0 to 1; all numbers are alike. */
function likeness(a: string, b: string): number {
  const [left, right] = [a, b].map((line) =>
    line
      .replace(/\d+/g, "0")
      .split(/[^\w-]+/)
      .filter((word) => word !== ""),
  );
  if (left === undefined || right === undefined || left.length + right.length === 0) return 0;
  const rest = [...right];
  const shared = left.filter((word) => {
    const index = rest.indexOf(word);
    if (index !== -1) rest.splice(index, 1);
    return index !== -1;
  });
  return (2 * shared.length) / (left.length + right.length);
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
}
