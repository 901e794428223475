import type { CompletionShape } from "./shape.ts";

/** Writes the completion script of a program for one shell. */
export type CompletionScript = (shape: CompletionShape) => string;
