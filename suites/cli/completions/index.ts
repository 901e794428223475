import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import type { Script } from "./script.ts";
import { zsh } from "./zsh.ts";

export { type Shape, shapeOf } from "./shape.ts";

/** A script for each shell, made from the commands as they are declared. */
export const shells: Readonly<Record<string, Script>> = { bash, zsh, fish };
