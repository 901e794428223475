/** Limits that keep reports readable: the characters of one text from a target, and the items of one list. */
export const maxTextLength = 1000;
export const maxItems = 256;

/** Cuts a text from a target to a length worth keeping. */
export function boundText(text: string, limit: number = maxTextLength): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
