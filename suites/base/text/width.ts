import widthOf from "fast-string-truncated-width";

/** The number of terminal columns that a text occupies. */
export function measureWidth(text: string): number {
  return widthOf(text).width;
}

/** A text cut to at most this number of columns; the last one shows the omission. */
export function truncateText(text: string, columns: number): string {
  const { index, truncated: isCut } = widthOf(text, { limit: columns, ellipsis: "…", ellipsisWidth: 1 });
  return isCut ? `${text.slice(0, index)}…` : text;
}

export function padColumns(text: string, columns: number, isRight = false): string {
  const room = " ".repeat(Math.max(0, columns - measureWidth(text)));
  return isRight ? room + text : text + room;
}
