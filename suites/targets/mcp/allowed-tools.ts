/** Returns a predicate that checks whether a tool may be called. Calling a tool may have effects, so it must be allowed by name, or by `*` for all. */
export function createToolFilter(tools: readonly string[]): (name: string) => boolean {
  return (name) => tools.includes(name) || tools.includes("*");
}
