import widthOf from "fast-string-truncated-width";

/** Measures the terminal columns that a text occupies. */
export function measureWidth(text: string): number {
  return widthOf(text).width;
}

/** Cuts a text to at most this number of columns. The last column then shows the omission. */
export function truncateText(text: string, columns: number): string {
  const { index, truncated: isCut } = widthOf(text, { limit: columns, ellipsis: "…", ellipsisWidth: 1 });
  return isCut ? `${text.slice(0, index)}…` : text;
}

/** Pads a text with spaces to this number of columns; on the left if it is aligned right. */
export function padColumns(text: string, columns: number, isAlignedRight = false): string {
  const padding = " ".repeat(Math.max(0, columns - measureWidth(text)));
  return isAlignedRight ? padding + text : text + padding;
}
