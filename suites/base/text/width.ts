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

/** Pads a text with spaces to this number of columns; on its left side if it is aligned right. */
export function padColumns(text: string, columns: number, isAlignedRight = false): string {
  const padding = " ".repeat(Math.max(0, columns - measureWidth(text)));
  return isAlignedRight ? padding + text : text + padding;
}
