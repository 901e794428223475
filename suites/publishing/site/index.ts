export { entryOf, type ReadOptions } from "./read.ts";
export { siteOf } from "./site.ts";
export type { SiteEntry as Entry } from "./types.ts";
export { writeSite } from "./write.ts";
