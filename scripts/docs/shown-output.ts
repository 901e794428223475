const isGap = (line: string): boolean => line.trim() === "…";

/** Whether a text matches the output on a page: a line `…` stands in for any lines, and `…` within a line for any text. */
export function isAsShown(text: string, shown: string): boolean {
  const lines = linesOf(text);
  /** The line numbers of the text at which the part shown so far may end. */
  let ends = new Set([0]);
  for (const line of linesOf(shown)) {
    if (isGap(line)) ends = rangeOf(Math.min(...ends), lines.length);
    else {
      const fitting = [...ends].filter((end) => end < lines.length && fitsLine(lines[end] as string, line));
      ends = new Set(fitting.map((end) => end + 1));
    }
    if (ends.size === 0) return false;
  }
  return ends.has(lines.length);
}

function rangeOf(first: number, last: number): Set<number> {
  return new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

/** Rewrites the output on a page for a new text: keeps the lines that resemble the shown ones, and replaces the others by `…`. */
export function rewriteShown(text: string, shown: string): string {
  if (isAsShown(text, shown)) return shown;
  const lines = linesOf(text);
  const expectedLines = linesOf(shown).filter((line) => !isGap(line));
  if (expectedLines.length === linesOf(shown).length && lines.length <= Math.max(expectedLines.length + 5, 15))
    return lines.join("\n");
  const shownLines = similarLines(lines, expectedLines);
  const contentLines = expectedLines.filter((line) => line !== "").length;
  if (shownLines.size * 5 < contentLines * 2)
    for (const index of firstAndLast(lines.length)) shownLines.set(index, lines[index] as string);
  return elideLines(lines, shownLines);
}

/** The lines of a text that resemble the shown ones, by index, in the form to show. */
function similarLines(lines: readonly string[], expectedLines: readonly string[]): Map<number, string> {
  const shownLines = new Map<number, string>();
  for (const line of expectedLines) {
    if (line === "") continue;
    const candidates = [...lines.keys()].filter((index) => !shownLines.has(index) && lines[index] !== "");
    const exactMatch = candidates.find((index) => fitsLine(lines[index] as string, line));
    const [nearest] = candidates
      .map((index) => ({ index, likeness: likeness(lines[index] as string, line) }))
      .sort((a, b) => b.likeness - a.likeness);
    if (exactMatch !== undefined) shownLines.set(exactMatch, line);
    else if (nearest !== undefined && nearest.likeness > 0.6)
      shownLines.set(nearest.index, lines[nearest.index] as string);
  }
  return shownLines;
}

/** The indices of the first and the last lines. */
function firstAndLast(count: number): number[] {
  return [...Array(count).keys()].filter((index) => index < 10 || index >= count - 5);
}

function elideLines(lines: readonly string[], shownLines: ReadonlyMap<number, string>): string {
  const shown: string[] = [];
  let omitted: string[] = [];
  const endGap = (): void => {
    const firstText = omitted.find((line) => line !== "");
    if (firstText === undefined) shown.push(...omitted);
    else shown.push(`${/^\s*/.exec(firstText)?.[0] ?? ""}…`);
    omitted = [];
  };
  for (const [index, line] of lines.entries()) {
    const shownLine = shownLines.get(index);
    if (shownLine === undefined) omitted.push(line);
    else {
      endGap();
      shown.push(shownLine);
    }
  }
  endGap();
  return shown.join("\n");
}

function fitsLine(line: string, shown: string): boolean {
  const parts = shown
    .trimEnd()
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}\\s*$`).test(line);
}

/** The share of words that two lines have in common, from 0 to 1. All numbers count as equal. */
function likeness(a: string, b: string): number {
  const [left, right] = [a, b].map((line) =>
    line
      .replace(/\d+/g, "0")
      .split(/[^\w-]+/)
      .filter((word) => word !== ""),
  );
  if (left === undefined || right === undefined || left.length + right.length === 0) return 0;
  const remaining = [...right];
  const shared = left.filter((word) => {
    const index = remaining.indexOf(word);
    if (index !== -1) remaining.splice(index, 1);
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
