import type { JsonObject, Scenario } from "../../../../schemas/index.ts";
import { describeChange, findFirstMissing } from "./lost-messages.ts";
import { notify } from "./messages.ts";
import { idOf, inShort, isAccepted, post, readStored, submit } from "./steps.ts";

/** Renames one member of the object. */
function renameMember(object: JsonObject, name: string, newName: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === name ? newName : key, value]));
}

export const memberNames: readonly Scenario[] = [
  {
    name: "member-names-case",
    says: "member names are case-sensitive",
    rules: ["AHCP-VER-004", "AHCP-ENV-001", "AHCP-ENV-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const plainNotify = notify(context);
      const agent = plainNotify.agent as JsonObject;
      const { title = null } = plainNotify;
      const sentMembers = { type: "notify", title, agent: { id: agent.id ?? null, runtime: agent.runtime ?? null } };
      await submit(context, plainNotify);
      const additionalCases: [name: string, message: JsonObject][] = [
        ["/TITLE", { ...notify(context, { title }), TITLE: 5 }],
        ["/Type", { ...notify(context, { title }), Type: "task" }],
        ["/agent/ID", notify(context, { title, agent: { ...agent, ID: `${agent.id}-other` } })],
        ["/agent/RunTime", notify(context, { title, agent: { ...agent, RunTime: 5 } })],
      ];
      for (const [name, message] of additionalCases) {
        const reply = await post(context, message);
        const id = idOf(reply);
        const why = `${name} beside the defined member is not ignored: ${inShort(reply)}`;
        context.expect("AHCP-VER-004", isAccepted(reply), why);
        if (!isAccepted(reply) || id === undefined) continue;
        const stored = await readStored(context, id);
        const changedPath = findFirstMissing(stored, sentMembers);
        const whyAccepted = `${name} is accepted as ${changedPath}: ${describeChange(changedPath, stored, sentMembers)}`;
        context.expect("AHCP-VER-004", changedPath === undefined, whyAccepted);
      }
      const replacementCases: [rule: string, name: string, message: JsonObject][] = [
        ["AHCP-ENV-001", "/Title instead of /title", renameMember(plainNotify, "title", "Title")],
        ["AHCP-ENV-001", "/Created_At instead of /created_at", renameMember(plainNotify, "created_at", "Created_At")],
        ["AHCP-ENV-005", "/agent/Id instead of /agent/id", { ...plainNotify, agent: renameMember(agent, "id", "Id") }],
        [
          "AHCP-ENV-005",
          "/agent/Run_ID instead of /agent/run_id",
          { ...plainNotify, agent: renameMember(agent, "run_id", "Run_ID") },
        ],
      ];
      for (const [rule, name, message] of replacementCases) {
        const reply = await post(context, message);
        context.expect(rule, !isAccepted(reply), `a message with ${name} is accepted: ${inShort(reply)}`);
      }
    },
  },
];
