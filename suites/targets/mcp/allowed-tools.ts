/** Returns a test whether a tool may be called: calling has effects, so it needs its name, or `*` for all. */
export function createToolFilter(tools: readonly string[]): (name: string) => boolean {
  return (name) => tools.includes(name) || tools.includes("*");
}
