import { gzipSync } from "node:zlib";
import type { PageData } from "./shape.ts";

/** Up to so many characters of data a page contains them as text. More are compressed: results repeat each other, and shrink to a tenth. */
const plainMost = 200_000;

/** The data as an element that is plain text to a browser, with any characters in it. */
export function packData(data: PageData): string {
  const json = JSON.stringify(data);
  return json.length <= plainMost
    ? `<script type="application/json" id="data">${json.replaceAll("<", "\\u003c")}</script>`
    : `<script type="application/gzip" id="data">${gzipSync(json).toString("base64")}</script>`;
}
