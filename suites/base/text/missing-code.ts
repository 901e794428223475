/** What is said of a refusal whose body has nothing at the place (JSON Pointer) where a protocol that names its codes has one. */
export function codeless(at: string): string {
  return `no code at ${at} of the body`;
}
