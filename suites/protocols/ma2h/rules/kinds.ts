/** A kind of mailbox entry. */
export interface EntryKind {
  /** The member that contains the entry in an answer. */
  member: "directive" | "message" | "response" | "receipt";
  /** The member of the entry with the key that acknowledgments name. */
  key: string;
  /** The prefix of such keys. */
  prefix: string;
}

export const kinds: readonly EntryKind[] = [
  { member: "directive", key: "id", prefix: "dir_" },
  { member: "message", key: "id", prefix: "msg_" },
  { member: "response", key: "resolution_id", prefix: "res_" },
  { member: "receipt", key: "id", prefix: "rcpt_" },
];
