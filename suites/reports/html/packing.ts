import { gzipSync } from "node:zlib";
import type { PageData } from "./shape.ts";

/** Up to this many characters, a page contains its data as text. More data is compressed: results are repetitive, and shrink to a tenth. */
const plainMost = 200_000;

/** The data, with any characters, as an element that is plain text for a browser. */
export function packData(data: PageData): string {
  const json = JSON.stringify(data);
  return json.length <= plainMost
    ? `<script type="application/json" id="data">${json.replaceAll("<", "\\u003c")}</script>`
    : `<script type="application/gzip" id="data">${gzipSync(json).toString("base64")}</script>`;
}
