import type { JsonObject, ScenarioContext, Violation } from "../../../../schemas/index.ts";
import { inShort, isType } from "./messages.ts";

/** A message between the suite and the party, and whether the party has sent it. */
export interface Exchanged {
  message: JsonObject;
  isOwn: boolean;
}

/** Rules, by the beginning of the types of messages without which nothing shows of them. */
export type ShownBy = Readonly<Record<string, readonly string[]>>;

const documents: Readonly<Record<string, string>> = {
  task: "task",
  status: "status",
  coord: "coordination",
  escalation: "escalation",
  ack: "acknowledgment",
};

/** The rule that each message is valid: whatever is wrong with one, and is under no rule of the scenario, is under this. */
export const ofAll = "CONV-SEND-001";

/** Says of each rule what of all that the party has sent breaks it, by the schemas and by the rules on messages and on sequences. */
export async function judge(
  context: ScenarioContext,
  exchanged: readonly Exchanged[],
  shownBy: ShownBy,
): Promise<void> {
  const rules = new Set(Object.values(shownBy).flat());
  const found = new Map<string, Violation>();
  const note = (message: JsonObject, { rule = ofAll, at, why, level }: Violation): void => {
    const known = rules.has(rule) ? rule : ofAll;
    if (known !== rule && level !== "MUST") return;
    const [named, where] = [known === rule ? "" : `${rule}: `, at === "" ? "" : `${at} `];
    const told = { at, level, why: `${inShort(message)}: ${named}${where}${why}` };
    if (found.get(known)?.level !== "MUST") found.set(known, told);
  };
  for (const { message, isOwn } of exchanged) {
    if (!isOwn) continue;
    const document = documents[String(message.message_type).split(".")[0] ?? ""];
    const wrong =
      document === undefined
        ? [{ rule: "CONV-BASE-005", at: "/message_type", why: "is none of the types", level: "MUST" as const }]
        : await context.violations(document, message);
    // What follows from a type that there is not, or is advised on what is wrong anyway, is not counted once more.
    const typeless = wrong.filter(({ rule }) => rule === "CONV-BASE-005");
    const grave = wrong.filter(({ level }) => level === "MUST");
    for (const each of [typeless, grave, wrong].find(({ length }) => length > 0) ?? []) note(message, each);
  }
  const entries = exchanged.map(({ message }) => ({ from: String(message.sender), message }));
  for (const each of await context.violations("exchange", entries)) {
    const [, index, , ...place] = each.at.split("/");
    const entry = exchanged[Number(index)];
    if (entry?.isOwn !== true || !rules.has(each.rule ?? "")) continue;
    note(entry.message, { ...each, at: place.length === 0 ? "" : `/${place.join("/")}` });
  }
  for (const [type, shown] of Object.entries(shownBy)) {
    const hasCome = exchanged.some(({ message, isOwn }) => isOwn && isType(message, type));
    for (const rule of shown) {
      const breach = found.get(rule);
      if (breach !== undefined) context.expect(rule, false, breach.why, breach.level);
      else if (hasCome) context.expect(rule, true, "");
      else context.skip(rule, type === "" ? "no message came" : `no message of a type ${type}… came`);
    }
  }
}
