/** Splits a command written by `commandLine` into words as a POSIX shell does, without running a shell. Variables, which replace secrets, are not expanded. */
export function splitShellWords(command: string): string[] {
  const words: string[] = [];
  // Text in single quotes, text in double quotes, an escaped character, bare text, or white space.
  const partPattern = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsy;
  let word: string | undefined;
  for (const [, singleQuoted, doubleQuoted, escaped, bareText, whiteSpace] of command.matchAll(partPattern)) {
    if (whiteSpace !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = `${word ?? ""}${singleQuoted ?? escaped ?? bareText ?? (doubleQuoted ?? "").replace(/\\(.)/g, "$1")}`;
  }
  return word === undefined ? words : [...words, word];
}
