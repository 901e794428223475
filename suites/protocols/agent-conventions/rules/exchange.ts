import { type Checker, canonical } from "../../../../schemas/index.ts";
import { exchangeCueCheckers } from "./exchange-cue.ts";
import { exchangeWorkCheckers } from "./exchange-work.ts";
import { member, textAt } from "./messages.ts";
import { messagesOf } from "./traced-messages.ts";

const documents = ["exchange"] as const;

/** A repeated message is a second delivery, not a second message. Ids are compared as texts, since no rule says otherwise. */
const idChecker: Checker = {
  rule: "CONV-BASE-014",
  documents,
  *check(trace) {
    const seenMessages = new Map<string, { text: string; written: Set<string> }>();
    for (const { at, id, sender, message } of messagesOf(trace)) {
      const key = `${sender} ${id}`;
      const text = canonical(message);
      const before = seenMessages.get(key) ?? { text, written: new Set() };
      const writtenIds = textAt(message, "message_id") ?? "";
      if (id !== "" && before.text !== text)
        yield {
          at: `${at}/message_id`,
          why: `is ${writtenIds}, which ${sender} has used before`,
          ...(before.written.has(writtenIds) ? {} : { level: "SHOULD" }),
        };
      before.written.add(writtenIds);
      seenMessages.set(key, before);
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
        const to = senders.get(about);
        if (!senders.has(about) && about !== id)
          yield {
            at: `${at}/acknowledging_message_id`,
            why: "names no message that came before it in the recording",
            level: "SHOULD",
            mustPass: true,
          };
        if (about === id) yield { at: `${at}/acknowledging_message_id`, why: "is the acknowledgment itself" };
        else if (to !== undefined && textAt(message, "recipient") !== to)
          yield {
            at: `${at}/recipient`,
            why: `is ${textAt(message, "recipient")}, and ${to} sent the acknowledged message`,
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
      const before = reached.get(key) ?? { level: -1, isRefused: false };
      const level = acknowledgmentLevels.indexOf(specific);
      const isRefusal = specific === "refused";
      if (before.isRefused) yield { at, why: "follows a refusal that was final" };
      else if (level >= 0 && level < before.level)
        yield { at, why: `falls back to ${specific} after ${acknowledgmentLevels[before.level]}` };
      else if (isRefusal && acknowledgmentLevels[before.level] === "completed")
        yield { at, why: "refuses a completed task" };
      const canReconsider = member(member(message, "refused_details"), "can_reconsider") === true;
      reached.set(key, {
        level: Math.max(level, before.level),
        isRefused: before.isRefused || (isRefusal && !canReconsider),
      });
    }
  },
};

/** If another agent has written to the agent in between, it may have been asked. An unchanged copy of a message is not a second message. */
const newsChecker: Checker = {
  rule: "CONV-ROUTE-003",
  documents,
  *check(trace) {
    const last = new Map<string, string>();
    const seenMessages = new Set<string>();
    for (const { at, message, sender, category } of messagesOf(trace)) {
      const wholeText = canonical(message);
      if (seenMessages.has(wholeText)) continue;
      seenMessages.add(wholeText);
      if (category !== "status") {
        const recipient = textAt(message, "recipient") ?? "";
        if (recipient === "broadcast") last.clear();
        else last.delete(recipient);
        continue;
      }
      const state = canonical([member(message, "status") ?? null, member(message, "context") ?? {}]);
      if (last.get(sender) === state) yield { at, why: `repeats what ${sender} has said of itself` };
      last.set(sender, state);
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
