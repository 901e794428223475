/** The words of a command that `commandLine` has written, as a POSIX shell splits them, without running a shell. Variables, which replace secrets, are not expanded. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsy;
  let word: string | undefined;
  for (const [, single, double, escaped, bare, space] of command.matchAll(part)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = `${word ?? ""}${single ?? escaped ?? bare ?? (double ?? "").replace(/\\(.)/g, "$1")}`;
  }
  return word === undefined ? words : [...words, word];
}
