import { formatAddress } from "../../../schemas/index.ts";
import { visibleJson } from "../../base/text/escape.ts";
import type { CompareFormat } from "./format.ts";

/** All of it, as data. */
export const json: CompareFormat = {
  name: "json",
  render: (result) => `${visibleJson(JSON.stringify({ $schema: formatAddress("compare"), ...result }, null, 2))}\n`,
};
