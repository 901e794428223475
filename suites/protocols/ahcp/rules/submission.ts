import { type Checker, pointer } from "../../../../schemas/index.ts";

export const submissionChecker: Checker = {
  rule: "AHCP-ACK-003",
  documents: ["submission"],
  *check(record) {
    if (pointer.at("/replay", record) === true) return;
    const type = pointer.at("/message/type", record);
    const status = pointer.at("/ack/status", record);
    if (typeof type !== "string" || typeof status !== "string") return;
    const expected = type === "notify" ? "delivered" : "open";
    if (status !== expected) yield { at: "/ack/status", why: `is "${status}", and a ${type} begins as "${expected}"` };
  },
};
