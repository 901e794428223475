import { equal, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { card } from "./card.ts";
import { type DocumentCheck, forms } from "./check.ts";
import { message } from "./envelope.ts";
import { nostrAddress, type RecordJudge } from "./records.ts";

export const nostrEvent: RecordJudge = (check, value) => {
  const tags = value.tags as string[][];
  if (value.kind === 31337) return checkCard(check, value.card as JsonObject, tags, value.pubkey);
  message(check, value.message as Json, "/message");
  if (check.faults.length > 0) return;
  const { from, to } = value.message as { from: string; to?: string };
  if (nostrAddress(value.pubkey, from) !== from) check.beyond("/pubkey", "is not the key of the sender");
  if (!check.strict("nostr-recipient")) return;
  const named = tags.filter(([name]) => name === "p").map(([, key = ""]) => key);
  if (!named.some((key) => forms.key.test(key))) check.beyond("/tags", "name no recipient");
  if (to !== undefined && named.some((key) => nostrAddress(key, to) !== to)) check.beyond("/tags", "name another");
};

function checkCard(check: DocumentCheck, its: JsonObject, tags: readonly string[][], pubkey: Json | undefined): void {
  card(check, its, "/card");
  if (check.faults.length > 0) return;
  const { identity, name, version, skills, endpoints = [], nostrRelays = [] } = its as unknown as Card;
  if (nostrAddress(pubkey, identity) !== identity) check.beyond("/pubkey", "is not the key of the identity");
  const expected: Record<string, string[][]> = {
    d: [[identity]],
    name: [[name]],
    version: [[version]],
    skill: skills.map((skill) => [skill.id, skill.name]),
    endpoint: endpoints.map(({ protocol, url }) => [protocol, url]),
    relay: nostrRelays.map((relay) => [relay]),
  };
  const isLike = (tag: string[], values: string[]): boolean =>
    check.strict("nostr-tags") ? equal(tag, values) : values.every((value) => tag.includes(value));
  for (const [kind, all] of Object.entries(expected)) {
    const found = tags.filter(([first]) => first === kind).map(([, ...values]) => values);
    const fits = found.length === all.length && all.every((each) => found.some((tag) => isLike(tag, each)));
    if (!fits) check.beyond("/tags", `of ${kind} do not fit the card`);
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
