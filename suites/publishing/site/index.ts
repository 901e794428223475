export { type ReadOptions, readEntry } from "./read.ts";
export { renderSite } from "./site.ts";
export type { SiteEntry as Entry } from "./types.ts";
export { writeSite } from "./write.ts";
