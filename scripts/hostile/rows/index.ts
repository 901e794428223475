import { certificateRows } from "./certificates.ts";
import { codeRows } from "./code.ts";
import { endlessRows } from "./endless.ts";
import { nameRows } from "./names.ts";
import type { Row } from "./row.ts";
import { secretRows } from "./secrets.ts";

export { type Kind, kinds, type Row } from "./row.ts";

/** Every attack that needs no process of its own, kind by kind. */
export const rows: readonly Row[] = [...codeRows, ...secretRows, ...certificateRows, ...nameRows, ...endlessRows];
