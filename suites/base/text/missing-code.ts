/** Describes a refusal that lacks a code at the location (JSON Pointer) required by the protocol. */
export function describeMissingCode(at: string): string {
  return `no code at ${at} of the body`;
}
