/** The position of a string in a text: from its opening quote to after its closing one. */
export interface TextSpan {
  from: number;
  to: number;
}

interface SpanLevel {
  /** Name or index of the value that comes next. */
  at: string;
  isObject: boolean;
  /** In an object, whether a name comes next. */
  isName: boolean;
}

/**
 * The positions of the strings at a path in a JSON text, several if a name is repeated. The text need not be JSON: strings before its fault
 * are found.
 */
export function stringsAt(text: string, path: readonly string[]): TextSpan[] {
  const levels: SpanLevel[] = [];
  const spans: TextSpan[] = [];
  const isThere = (): boolean => levels.length === path.length && levels.every(({ at }, depth) => at === path[depth]);
  for (let place = 0; place < text.length; place++) {
    const level = levels.at(-1);
    switch (text[place]) {
      case "{":
        levels.push({ at: "", isObject: true, isName: true });
        break;
      case "[":
        levels.push({ at: "0", isObject: false, isName: false });
        break;
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level?.isObject === true) level.isName = true;
        else if (level !== undefined) level.at = String(Number(level.at) + 1);
        break;
      case '"': {
        const to = endOf(text, place);
        if (level?.isName === true) {
          // Names further down than the path need not be read.
          level.at = levels.length > path.length ? "" : (stringIn(text, { from: place, to }) ?? "");
          level.isName = false;
        } else if (isThere()) spans.push({ from: place, to });
        place = to - 1;
      }
    }
  }
  return spans;
}

/** The value of the string in a span; undefined if it is not JSON. */
export function stringIn(text: string, { from, to }: TextSpan): string | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(from, to));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text with other words in the place of each span. */
export function withSpans(text: string, spans: readonly TextSpan[], words: string): string {
  let end = 0;
  const parts = spans.map(({ from, to }) => {
    const before = text.slice(end, from);
    end = to;
    return before + words;
  });
  return parts.join("") + text.slice(end);
}

/** The end of the string that begins at a quote: after the next quote with an even number of backslashes before it. */
function endOf(text: string, start: number): number {
  for (let place = text.indexOf('"', start + 1); place !== -1; place = text.indexOf('"', place + 1)) {
    let first = place;
    while (text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((place - first) % 2 === 0) return place + 1;
  }
  return text.length;
}

const backslash = 0x5c;
