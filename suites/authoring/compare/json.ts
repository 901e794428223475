import { formatAddress } from "../../../schemas/index.ts";
import { escapeInvisibleJson } from "../../base/text/escape.ts";
import type { CompareFormat } from "./format.ts";

/** The complete result, as data. */
export const json: CompareFormat = {
  name: "json",
  render: (result) =>
    `${escapeInvisibleJson(JSON.stringify({ $schema: formatAddress("compare"), ...result }, null, 2))}\n`,
};
