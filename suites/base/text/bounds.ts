/** Reports are kept, and read by people: characters of one text that somebody else said, and items of one list. */
export const mostText = 1000;
export const mostItems = 256;

/** What somebody else said, cut to a length that can be kept. */
export function bounded(text: string, limit: number = mostText): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
