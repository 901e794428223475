/** Exit codes of the command line (0 conforms is not an error). */
export const exitCodes = { violations: 1, usage: 2, target: 3, internal: 4 } as const;

export type ErrorKind = keyof typeof exitCodes;

/** A fault of a JSON text that some parsers accept: a repeated member name, or half a surrogate pair. */
export type TextFault = "repeated-name" | "half-pair";

/**
 * An error that a user can act on: the problem (with the offending value), the place (file, line, JSON Pointer), and the remedy. `kind`
 * decides the exit code.
 */
export class TouchstoneError extends Error {
  readonly kind: ErrorKind;
  readonly what: string;
  readonly where: string | undefined;
  readonly hint: string | undefined;
  /** The fault of a JSON text that a parser may accept. */
  readonly fault: TextFault | undefined;

  constructor(
    kind: ErrorKind,
    what: string,
    more: { where?: string; hint?: string; fault?: TextFault; cause?: unknown } = {},
  ) {
    const where = more.where === undefined ? "" : `${more.where}: `;
    const hint = more.hint === undefined ? "" : `\n  ${more.hint}`;
    super(`${where}${what}${hint}`, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "TouchstoneError";
    this.kind = kind;
    this.what = what;
    this.where = more.where;
    this.hint = more.hint;
    this.fault = more.fault;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}
