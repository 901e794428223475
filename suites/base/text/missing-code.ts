/** The remark on a refusal without a code at the place (JSON Pointer) that the protocol gives. */
export function describeMissingCode(at: string): string {
  return `no code at ${at} of the body`;
}
