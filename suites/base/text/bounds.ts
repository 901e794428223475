/** Limits of reports, which people keep and read: the characters of one foreign text, and the items of one list. */
export const maxTextLength = 1000;
export const maxItems = 256;

/** A foreign text, cut to a length worth keeping. */
export function boundText(text: string, limit: number = maxTextLength): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
