import { TouchstoneError } from "./error.ts";

/** Values of a JSON text: each needs some hundred bytes of memory, even in a text that has little more than brackets. */
export const maxValues: number = 2 ** 23;

/** Values of a YAML text: the parser keeps a kilobyte for each. */
export const maxYamlValues: number = 750_000;

/**
 * Throws a usage error for a text that may have more values than that (by its commas, open brackets and line ends), before a parser uses
 * memory for them.
 */
export function refuseMany(text: string, most: number, file: string): void {
  if (text.length <= most) return;
  let count = 1;
  let last = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isMark = code === 0x2c || code === 0x5b || code === 0x7b;
    // The end of a line counts unless the line ends with one of the others.
    if (isMark || (code === 0x0a && last !== 0x2c && last !== 0x5b && last !== 0x7b)) count += 1;
    last = code;
  }
  if (count > most)
    throw new TouchstoneError("usage", `it has some ${count} values, and ${most} are read at most`, {
      where: file,
      hint: "split it",
    });
}
