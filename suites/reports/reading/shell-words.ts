/** Splits a command written by `commandLine` into words as a POSIX shell does, without running a shell. Variables, which stand in for secrets, are not expanded. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  const partPattern = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsy;
  let word: string | undefined;
  for (const [, single, double, escaped, bare, space] of command.matchAll(partPattern)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = `${word ?? ""}${single ?? escaped ?? bare ?? (double ?? "").replace(/\\(.)/g, "$1")}`;
  }
  return word === undefined ? words : [...words, word];
}
