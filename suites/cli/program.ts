import { isSea } from "node:sea";

/** How this program was called, for the commands that it prints. */
export function program(): string {
  if (isSea()) return "touchstone";
  return import.meta.filename.endsWith(".ts") ? "npm run -s touchstone --" : "npx touchstone";
}
