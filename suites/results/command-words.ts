import { TouchstoneError } from "../../schemas/index.ts";

/**
 * The words of a command that `commandLine` has written, as a POSIX shell reads them: quotes, and variables within double ones. No
 * shell is asked. Throws a usage error for a variable that is not set.
 */
export function commandWords(command: string, environment: NodeJS.ProcessEnv): string[] {
  const words: string[] = [];
  const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsy;
  let word: string | undefined;
  for (const [, single, double, escaped, bare, space] of command.matchAll(part)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = `${word ?? ""}${single ?? escaped ?? bare ?? inserted(double ?? "", environment)}`;
  }
  return word === undefined ? words : [...words, word];
}

function inserted(text: string, environment: NodeJS.ProcessEnv): string {
  return text.replace(/\$([A-Za-z_][A-Za-z0-9_]*)|\\(.)/g, (_, name: string | undefined, escaped: string) => {
    if (name === undefined) return escaped;
    const value = environment[name];
    if (value !== undefined) return value;
    throw new TouchstoneError("usage", `the environment has no ${name}`, {
      where: `"${text}"`,
      hint: `a report keeps no secrets: export ${name}=…, or give --header yourself`,
    });
  });
}
