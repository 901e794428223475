import type { PushSpelling } from "../../ahcp/rules/signed.ts";

/** The member that states the version, in messages and among signed members. */
export const versionMember = "ma2h_version";

export const spelling: PushSpelling = { version: versionMember, formRule: "AHCP-SIG-020" };
