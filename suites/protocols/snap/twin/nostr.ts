import { equal, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { checkCard } from "./card.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { checkMessage } from "./envelope.ts";
import { nostrAddress, type RecordJudge } from "./records.ts";

/** The kind of a Nostr event that contains a card. */
const cardKind = 31337;

export const nostrEvent: RecordJudge = (check, value) => {
  const tags = value.tags as string[][];
  if (value.kind === cardKind) return checkCardEvent(check, value.card as JsonObject, tags, value.pubkey);
  checkMessage(check, value.message as Json, "/message");
  if (check.faults.length > 0) return;
  const { from, to } = value.message as { from: string; to?: string };
  if (nostrAddress(value.pubkey, from) !== from) check.addCodeFault("/pubkey", "is not the key of the sender");
  if (!check.strict("nostr-recipient")) return;
  const recipients = tags.filter(([name]) => name === "p").map(([, key = ""]) => key);
  if (!recipients.some((key) => forms.key.test(key))) check.addCodeFault("/tags", "do not name a recipient");
  if (to !== undefined && recipients.some((key) => nostrAddress(key, to) !== to))
    check.addCodeFault("/tags", "name another recipient");
};

function checkCardEvent(
  check: DocumentCheck,
  cardValue: JsonObject,
  tags: readonly string[][],
  pubkey: Json | undefined,
): void {
  checkCard(check, cardValue, "/card");
  if (check.faults.length > 0) return;
  const { identity, name, version, skills, endpoints = [], nostrRelays = [] } = cardValue as unknown as Card;
  if (nostrAddress(pubkey, identity) !== identity) check.addCodeFault("/pubkey", "is not the key of the identity");
  const expectedByName: Record<string, string[][]> = {
    d: [[identity]],
    name: [[name]],
    version: [[version]],
    skill: skills.map((skill) => [skill.id, skill.name]),
    endpoint: endpoints.map(({ protocol, url }) => [protocol, url]),
    relay: nostrRelays.map((relay) => [relay]),
  };
  const matches = (tag: string[], values: string[]): boolean =>
    check.strict("nostr-tags") ? equal(tag, values) : values.every((value) => tag.includes(value));
  for (const [tagName, expectedTags] of Object.entries(expectedByName)) {
    const actualTags = tags.filter(([name]) => name === tagName).map(([, ...values]) => values);
    const isEachPresent = expectedTags.every((expectedTag) => actualTags.some((tag) => matches(tag, expectedTag)));
    if (actualTags.length !== expectedTags.length || !isEachPresent)
      check.addCodeFault("/tags", `of ${tagName} do not match the card`);
  }
}

interface Card {
  identity: string;
  name: string;
  version: string;
  skills: { id: string; name: string }[];
  endpoints?: { protocol: string; url: string }[];
  nostrRelays?: string[];
}
