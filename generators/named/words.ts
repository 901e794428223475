/** Puts the article before a kind of message: "an ask", "a task". A longer name gets none. */
export function withArticle(kind: string): string {
  if (!/^[a-z]+$/.test(kind)) return kind;
  return `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
}

/** Puts the article before a document's title, for use within a sentence. */
export function titleInSentence(title: string): string {
  const lower = /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
  return `${/^[aeiou]/i.test(lower) ? "an" : "a"} ${lower}`;
}

/** Joins names in a sentence. Of many, only the first four are named. */
export function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, 4).map((name) => `\`${name}\``);
  return names.length > 4
    ? `${shown.join(", ")} and ${names.length - 4} more`
    : shown.join(", ").replace(/, ([^,]*)$/, " and $1");
}
