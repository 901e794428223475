const [quote, backslash, openingBrace, closingBrace, openingBracket, closingBracket] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

/** The texts of the elements of a member's list, as written in the JSON text of the object. It only searches for their boundaries, so a few elements of a large file can be read exactly. The text must be well-formed; if a name is repeated, the last member counts, as in `JSON.parse`. */
export function elementTexts(text: string, member: string): string[] {
  let elements: string[] = [];
  let index = afterSpace(text, text.indexOf("{") + 1);
  while (text.charCodeAt(index) === quote) {
    const end = endOfString(text, index);
    const name = JSON.parse(text.slice(index, end)) as string;
    index = afterSpace(text, afterSpace(text, end) + 1);
    const valueEnd = endOfValue(text, index);
    if (name === member) elements = elementsOf(text, index);
    index = afterComma(text, valueEnd);
  }
  return elements;
}

function elementsOf(text: string, start: number): string[] {
  if (text.charCodeAt(start) !== openingBracket) return [];
  const elements: string[] = [];
  let index = afterSpace(text, start + 1);
  while (text.charCodeAt(index) !== closingBracket) {
    const end = endOfValue(text, index);
    elements.push(text.slice(index, end));
    index = afterComma(text, end);
  }
  return elements;
}

function afterComma(text: string, end: number): number {
  const index = afterSpace(text, end);
  return text[index] === "," ? afterSpace(text, index + 1) : index;
}

function afterSpace(text: string, start: number): number {
  let index = start;
  while (text.charCodeAt(index) <= 0x20) index += 1;
  return index;
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; ; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index + 1;
    if (code === backslash) index += 1;
  }
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let index = start;
  for (;;) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === openingBrace || code === openingBracket) {
      depth += 1;
      index += 1;
    } else if (depth > 0 && (code === closingBrace || code === closingBracket)) {
      depth -= 1;
      index += 1;
    } else if (depth > 0) index += 1;
    else return endOfLiteral(text, index);
    if (depth === 0) return index;
  }
}

function endOfLiteral(text: string, start: number): number {
  let index = start;
  while (index < text.length && /[^\s,\]}]/.test(text[index] as string)) index += 1;
  return index;
}
