import { certificateRows } from "./certificates.fixture.ts";
import { codeRows } from "./code.fixture.ts";
import { endlessRows } from "./endless.fixture.ts";
import { nameRows } from "./names.fixture.ts";
import type { Attack } from "./row.fixture.ts";
import { secretRows } from "./secrets.fixture.ts";

export { type Attack as Row, type Kind, kinds } from "./row.fixture.ts";

/** Every attack that needs no separate process, kind by kind. */
export const rows: readonly Attack[] = [...codeRows, ...secretRows, ...certificateRows, ...nameRows, ...endlessRows];
