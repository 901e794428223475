import { isObject, type JsonObject, type Scenario } from "../../../../../schemas/index.ts";
import { judgeInstances, wellKnown } from "../parties.ts";

export const cards: readonly Scenario[] = [
  {
    name: "card-served",
    says: "a card at its well-known place has a signature, a key and a time",
    rules: ["SNAP-DISC-001", "SNAP-DISC-002", "SNAP-CARD-001", "SNAP-CARD-004", "SNAP-CARD-009"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const { status, json, text } = await context.send({ method: "GET", path: wellKnown });
      const rules = ["SNAP-DISC-001", "SNAP-DISC-002", "SNAP-CARD-001", "SNAP-CARD-004", "SNAP-CARD-009"];
      if (status !== 200) {
        for (const rule of rules) context.skip(rule, `the agent serves no card there: HTTP ${status}`);
        return;
      }
      const served: JsonObject = isObject(json) ? json : {};
      const { card, sig, publicKey, timestamp } = served;
      const faults = [
        isObject(card) ? "" : "no card",
        /^[0-9a-f]{128}$/.test(String(sig)) ? "" : "no sig of 128 hexadecimal digits",
        /^[0-9a-f]{64}$/.test(String(publicKey)) ? "" : "no publicKey of 64 hexadecimal digits",
        typeof timestamp === "number" && Number.isInteger(timestamp) ? "" : "no timestamp",
      ].filter((fault) => fault !== "");
      context.expect(
        "SNAP-DISC-001",
        faults.length === 0,
        `the served card has ${faults.join(", ")}: ${text.slice(0, 200)}`,
      );
      if (!isObject(card)) return;
      const violations = await context.violations("agent-card", card);
      const formFault = violations.find(
        ({ level, site, rule }) => level === "MUST" && site !== undefined && rule !== "SNAP-CARD-001",
      );
      context.expect(
        "SNAP-DISC-001",
        formFault === undefined,
        `the card does not fit its schema: ${formFault?.at} ${formFault?.why}`,
      );
      await judgeInstances(context, "agent-card", {
        instance: card,
        rules: ["SNAP-CARD-001", "SNAP-CARD-004", "SNAP-CARD-009"],
        what: "the card",
      });
      await judgeInstances(context, "signed-card", {
        instance: served,
        rules: ["SNAP-DISC-002"],
        what: "the served card",
      });
    },
  },
];
