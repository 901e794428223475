/** Compares by UTF-16 code units: the same on every machine. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares releases by their numbers: `1.9` before `1.10`, `2.0-rc.1` before `2.0`. A total order. */
export function byRelease(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const order = byPart(left[at], right[at]);
    if (order !== 0) return order;
  }
  return byText(a, b);
}

function partsOf(release: string): string[] {
  return release.match(/\d+|\D+/g) ?? [];
}

function byPart(a: string | undefined, b: string | undefined): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0 || a === undefined || b === undefined) return rank;
  return rankOf(a) === numeric ? byNumber(a, b) : byText(a, b);
}

const numeric = 2;

/** A part that begins with a hyphen marks a pre-release. */
function rankOf(part: string | undefined): number {
  if (part === undefined) return 1;
  if (/^\d/.test(part)) return numeric;
  return part.startsWith("-") ? 0 : 3;
}

function byNumber(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return left.length - right.length || byText(left, right);
}
