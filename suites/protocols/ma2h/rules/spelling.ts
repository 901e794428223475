import type { PushSpelling } from "../../ahcp/rules/signed.ts";

/** The member with the version, both in messages and among the signed members. */
export const versionMember = "ma2h_version";

export const spelling: PushSpelling = { version: versionMember, formRule: "AHCP-SIG-020" };
