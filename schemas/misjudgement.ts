/** Sets before 1.5 use `where`. */
const judgementStart = /; wrongly (?:accepted|refused) (?:if|where) /;

/** The end of a description: the mistake that makes an implementation judge the vector wrongly, such as `maxItems is 4 instead of 5`. */
export function misjudgedIf(valid: boolean, mistake: string): string {
  return `; wrongly ${valid ? "refused" : "accepted"} if ${mistake}`;
}

/** A description without that end, and whether it had one. */
export function withoutMistake(description: string): { text: string; namesMistake: boolean } {
  const index = description.search(judgementStart);
  return index === -1
    ? { text: description, namesMistake: false }
    : { text: description.slice(0, index), namesMistake: true };
}
