import type { Shape } from "./shape.ts";

/** Writes the completion script of a program for one shell. */
export type Script = (shape: Shape) => string;
