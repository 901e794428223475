const beginning = /; wrongly (?:accepted|refused) where /;

/** The end of a description: for which mistake an implementation would judge the vector otherwise, such as `maxItems is 4 instead of 5`. */
export function misjudgedWhere(valid: boolean, mistake: string): string {
  return `; wrongly ${valid ? "refused" : "accepted"} where ${mistake}`;
}

/** A description without that end, and whether it had one. */
export function withoutMistake(description: string): { text: string; namesMistake: boolean } {
  const at = description.search(beginning);
  return at === -1
    ? { text: description, namesMistake: false }
    : { text: description.slice(0, at), namesMistake: true };
}
