import type { Format } from "./format.ts";
import { html } from "./html/page.ts";
import { json } from "./json.ts";
import { terminal } from "./terminal.ts";

export type { Format, RenderOptions } from "./format.ts";

/** Every report format, the default first. */
export const formats: readonly Format[] = [terminal, json, html];
