import { type Checker, canonical } from "../../../../schemas/index.ts";
import { exchangeCueCheckers } from "./exchange-cue.ts";
import { exchangeWorkCheckers } from "./exchange-work.ts";
import { member, textAt } from "./messages.ts";
import { messagesOf } from "./traced-messages.ts";

const documents = ["exchange"] as const;

/** A copy of a message is a second delivery, not a second message. The rules do not say that ids are compared case-insensitively. */
const idChecker: Checker = {
  rule: "CONV-BASE-014",
  documents,
  *check(trace) {
    const seenMessages = new Map<string, { text: string; spellings: Set<string> }>();
    for (const { at, id, sender, message } of messagesOf(trace)) {
      const key = `${sender} ${id}`;
      const text = canonical(message);
      const first = seenMessages.get(key) ?? { text, spellings: new Set() };
      const spelling = textAt(message, "message_id") ?? "";
      if (id !== "" && first.text !== text)
        yield {
          at: `${at}/message_id`,
          why: `is ${spelling}, which ${sender} has used before`,
          ...(first.spellings.has(spelling) ? {} : { level: "SHOULD" }),
        };
      first.spellings.add(spelling);
      seenMessages.set(key, first);
    }
  },
};

const recipientChecker: Checker = {
  rule: "CONV-ACK-006",
  documents,
  *check(trace) {
    const senders = new Map<string, string>();
    for (const { at, message, id, sender, category, about } of messagesOf(trace)) {
      if (category === "ack" && about !== undefined) {
        const originalSender = senders.get(about);
        if (!senders.has(about) && about !== id)
          yield {
            at: `${at}/acknowledging_message_id`,
            why: "does not name an earlier message of the recording",
            level: "SHOULD",
            mustPass: true,
          };
        if (about === id) yield { at: `${at}/acknowledging_message_id`, why: "is the acknowledgment itself" };
        else if (originalSender !== undefined && textAt(message, "recipient") !== originalSender)
          yield {
            at: `${at}/recipient`,
            why: `is ${textAt(message, "recipient")}, but ${originalSender} sent the acknowledged message`,
          };
      }
      senders.set(id, sender);
    }
  },
};

const acknowledgmentLevels = ["received", "understood", "completed"];

const forwardChecker: Checker = {
  rule: "CONV-ACK-007",
  documents,
  *check(trace) {
    const reached = new Map<string, { level: number; isRefused: boolean }>();
    const seenMessages = new Set<string>();
    for (const { at, message, sender, category, specific, about } of messagesOf(trace)) {
      if (category !== "ack" || about === undefined || seenMessages.has(canonical(message))) continue;
      seenMessages.add(canonical(message));
      const key = `${sender} ${about}`;
      const previous = reached.get(key) ?? { level: -1, isRefused: false };
      const level = acknowledgmentLevels.indexOf(specific);
      const isRefusal = specific === "refused";
      if (previous.isRefused) yield { at, why: "follows a final refusal" };
      else if (level >= 0 && level < previous.level)
        yield { at, why: `falls back to ${specific} after ${acknowledgmentLevels[previous.level]}` };
      else if (isRefusal && acknowledgmentLevels[previous.level] === "completed")
        yield { at, why: "refuses a completed task" };
      const canReconsider = member(member(message, "refused_details"), "can_reconsider") === true;
      reached.set(key, {
        level: Math.max(level, previous.level),
        isRefused: previous.isRefused || (isRefusal && !canReconsider),
      });
    }
  },
};

/** An agent may repeat its status after a message from another agent, because the message may have asked for it. Copies do not count. */
const newsChecker: Checker = {
  rule: "CONV-ROUTE-003",
  documents,
  *check(trace) {
    const lastStates = new Map<string, string>();
    const seenMessages = new Set<string>();
    for (const { at, message, sender, category } of messagesOf(trace)) {
      const copyKey = canonical(message);
      if (seenMessages.has(copyKey)) continue;
      seenMessages.add(copyKey);
      if (category !== "status") {
        const recipient = textAt(message, "recipient") ?? "";
        if (recipient === "broadcast") lastStates.clear();
        else lastStates.delete(recipient);
        continue;
      }
      const state = canonical([member(message, "status") ?? null, member(message, "context") ?? {}]);
      if (lastStates.get(sender) === state) yield { at, why: `repeats the last status of ${sender}` };
      lastStates.set(sender, state);
    }
  },
};

export const exchangeCheckers: readonly Checker[] = [
  idChecker,
  recipientChecker,
  forwardChecker,
  ...exchangeCueCheckers,
  ...exchangeWorkCheckers,
  newsChecker,
];
