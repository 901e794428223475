/** Limits of reports, which are kept and read by people: characters of one foreign text, and items of one list. */
export const maxTextLength = 1000;
export const maxItems = 256;

/** A foreign text, cut to a length that can be kept. */
export function boundText(text: string, limit: number = maxTextLength): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
