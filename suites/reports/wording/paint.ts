import type picocolors from "picocolors";

/** Colours for a terminal, or none. */
export type Paint = ReturnType<typeof picocolors.createColors>;
