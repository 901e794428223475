import { escapeInvisibleJson } from "../base/text/escape.ts";
import type { Format } from "./format.ts";

/** Renders the report itself as JSON. */
export const json: Format = {
  name: "json",
  extension: "json",
  render: (report) => `${escapeInvisibleJson(JSON.stringify(report, null, 2))}\n`,
};
