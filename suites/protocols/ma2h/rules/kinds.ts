/** A kind of entries in a mailbox. */
export interface EntryKind {
  /** The member that holds the entry in an answer. */
  member: "directive" | "message" | "response" | "receipt";
  /** The member of the entry that acknowledgments name. */
  key: string;
  /** How such keys begin. */
  prefix: string;
}

export const kinds: readonly EntryKind[] = [
  { member: "directive", key: "id", prefix: "dir_" },
  { member: "message", key: "id", prefix: "msg_" },
  { member: "response", key: "resolution_id", prefix: "res_" },
  { member: "receipt", key: "id", prefix: "rcpt_" },
];
