/** The position of a string in a text, from its opening quote to after its closing quote. */
export interface TextSpan {
  from: number;
  to: number;
}

interface SpanLevel {
  /** The name or index of the next value. */
  nameOrIndex: string;
  isObject: boolean;
  /** Whether the next string is a member's name. */
  expectsName: boolean;
}

/**
 * Finds the positions of the strings at a path in a JSON text. There are several if a name is repeated. If the text is malformed, the strings before its
 * first fault are found.
 */
export function findStringsAt(text: string, path: readonly string[]): TextSpan[] {
  const levels: SpanLevel[] = [];
  const spans: TextSpan[] = [];
  const isAtPath = (): boolean =>
    levels.length === path.length && levels.every(({ nameOrIndex }, depth) => nameOrIndex === path[depth]);
  for (let position = 0; position < text.length; position++) {
    const level = levels.at(-1);
    switch (text[position]) {
      case "{":
        levels.push({ nameOrIndex: "", isObject: true, expectsName: true });
        break;
      case "[":
        levels.push({ nameOrIndex: "0", isObject: false, expectsName: false });
        break;
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level?.isObject === true) level.expectsName = true;
        else if (level !== undefined) level.nameOrIndex = String(Number(level.nameOrIndex) + 1);
        break;
      case '"': {
        const to = endOfString(text, position);
        if (level?.expectsName === true) {
          // A name deeper than the path cannot match, so it is not parsed.
          level.nameOrIndex = levels.length > path.length ? "" : (stringInSpan(text, { from: position, to }) ?? "");
          level.expectsName = false;
        } else if (isAtPath()) spans.push({ from: position, to });
        position = to - 1;
      }
    }
  }
  return spans;
}

/** Parses the string in a span; undefined if it is not JSON. */
export function stringInSpan(text: string, { from, to }: TextSpan): string | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(from, to));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces each span of a text. */
export function replaceSpans(text: string, spans: readonly TextSpan[], replacement: string): string {
  let previousEnd = 0;
  const parts = spans.map(({ from, to }) => {
    const precedingText = text.slice(previousEnd, from);
    previousEnd = to;
    return precedingText + replacement;
  });
  return parts.join("") + text.slice(previousEnd);
}

/** Finds the end of the string that begins at a quote: after the next quote that has an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let position = text.indexOf('"', start + 1); position !== -1; position = text.indexOf('"', position + 1)) {
    let firstBackslash = position;
    while (text.charCodeAt(firstBackslash - 1) === backslash) firstBackslash -= 1;
    if ((position - firstBackslash) % 2 === 0) return position + 1;
  }
  return text.length;
}

const backslash = 0x5c;
