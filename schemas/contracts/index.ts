export type * from "./cases.ts";
export type * from "./checker.ts";
export type * from "./rule-family.ts";
export type * from "./session.ts";
export type * from "./signer.ts";
export type * from "./violation.ts";
