import { gzipSync } from "node:zlib";
import type { PageData } from "./shape.ts";

/** The maximum length of data that a page contains as plain text. Longer data is compressed, because results are repetitive and shrink to a tenth. */
const maxPlainLength = 200_000;

/** Formats the data as an element that a browser treats as plain text, whatever characters it contains. */
export function packData(data: PageData): string {
  const json = JSON.stringify(data);
  return json.length <= maxPlainLength
    ? `<script type="application/json" id="data">${json.replaceAll("<", "\\u003c")}</script>`
    : `<script type="application/gzip" id="data">${gzipSync(json).toString("base64")}</script>`;
}
