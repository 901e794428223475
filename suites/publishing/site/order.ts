/** Compares strings by UTF-16 code units, independently of the locale. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares releases by their numbers: `1.9` before `1.10`, `2.0-rc.1` before `2.0`. This is a total order. */
export function byRelease(a: string, b: string): number {
  const [leftParts, rightParts] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(leftParts.length, rightParts.length); index += 1) {
    const order = byPart(leftParts[index], rightParts[index]);
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
  return rankOf(a) === numericRank ? byNumber(a, b) : byText(a, b);
}

const numericRank = 2;

/** Ranks the parts at the same position: a pre-release (which begins with a hyphen), the end of the version, a number, other text. */
function rankOf(part: string | undefined): number {
  if (part === undefined) return 1;
  if (/^\d/.test(part)) return numericRank;
  return part.startsWith("-") ? 0 : 3;
}

function byNumber(a: string, b: string): number {
  const [leftDigits, rightDigits] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return leftDigits.length - rightDigits.length || byText(leftDigits, rightDigits);
}
