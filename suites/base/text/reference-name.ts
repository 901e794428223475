/** Returns the name of the reference implementation, or of a broken variant, in reports. */
export function referenceName(variant?: string): string {
  return variant === undefined ? "reference" : `reference, ${variant}`;
}
