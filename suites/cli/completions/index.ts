import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import type { CompletionScript } from "./script.ts";
import { zsh } from "./zsh.ts";

export { type CompletionShape as Shape, shapeOf } from "./shape.ts";

/** The writer of the completion script for each shell. */
export const shells: Readonly<Record<string, CompletionScript>> = { bash, zsh, fish };
