/** Sets before 1.5 use `where`. */
const judgementStart = /; wrongly (?:accepted|refused) (?:if|where) /;

/** The ending of a description that names the mistake of an implementation that misjudges the vector, such as `maxItems is 4 instead of 5`. */
export function misjudgedIf(valid: boolean, mistake: string): string {
  return `; wrongly ${valid ? "refused" : "accepted"} if ${mistake}`;
}

/** Removes that ending from a description, and reports whether it had one. */
export function withoutMistake(description: string): { text: string; namesMistake: boolean } {
  const index = description.search(judgementStart);
  return index === -1
    ? { text: description, namesMistake: false }
    : { text: description.slice(0, index), namesMistake: true };
}
