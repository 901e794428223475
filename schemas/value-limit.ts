import { TouchstoneError } from "./error.ts";

/** The maximum number of values in a JSON text. Each needs about a hundred bytes of memory, even in a text of mere brackets. */
export const maxValues: number = 2 ** 23;

/** The maximum number of values in a YAML text: the parser keeps a kilobyte for each. */
export const maxYamlValues: number = 750_000;

/**
 * Throws a usage error for a text that may have more values than `maxCount`, before a parser uses memory for them. The estimate counts commas,
 * open brackets and line ends.
 */
export function refuseMany(text: string, maxCount: number, file: string): void {
  if (text.length <= maxCount) return;
  let count = 1;
  let last = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isMark = code === 0x2c || code === 0x5b || code === 0x7b;
    // A line end counts unless it follows a comma or an open bracket.
    if (isMark || (code === 0x0a && last !== 0x2c && last !== 0x5b && last !== 0x7b)) count += 1;
    last = code;
  }
  if (count > maxCount)
    throw new TouchstoneError("usage", `it has some ${count} values, and ${maxCount} are read at most`, {
      where: file,
      hint: "split it",
    });
}
