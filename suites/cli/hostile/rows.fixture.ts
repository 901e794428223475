import { certificateRows } from "./certificates.fixture.ts";
import { codeRows } from "./code.fixture.ts";
import { endlessRows } from "./endless.fixture.ts";
import { nameRows } from "./names.fixture.ts";
import type { Row } from "./row.fixture.ts";
import { secretRows } from "./secrets.fixture.ts";

export { type Kind, kinds, type Row } from "./row.fixture.ts";

/** Every attack that needs no separate process, kind by kind. */
export const rows: readonly Row[] = [...codeRows, ...secretRows, ...certificateRows, ...nameRows, ...endlessRows];
