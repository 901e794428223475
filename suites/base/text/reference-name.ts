/** What reports call the reference implementation, or a broken variant of it. */
export function referenceName(variant?: string): string {
  return variant === undefined ? "reference" : `reference, ${variant}`;
}
