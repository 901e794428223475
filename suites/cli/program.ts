/** How this program was called, for the commands that it prints. */
export function program(): string {
  return import.meta.filename.endsWith(".ts") ? "npm run -s touchstone --" : "npx touchstone";
}
