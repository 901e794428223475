import { type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { openLine } from "../subscribing/open.ts";
import { effectsOf } from "./acting.ts";
import { askedOf, conductOf, longestAction } from "./conduct.ts";
import { rejectedIn, rejectOpen } from "./ignoring.ts";
import { lapse, movesActions } from "./lapse.ts";
import { toProducer } from "./scenario.ts";

const rule = "AAEP-CONF-020";

/** After a rejection, a clock that moves actions is moved forward by these milliseconds. */
const aMinute = 60_000;

/** Played last: actions that earlier scenarios rejected may have been carried out since. */
export const lateActions: readonly Scenario[] = [
  toProducer({
    name: "rejection-lasts",
    says: "a rejected action is not carried out later either",
    rules: [rule],
    needs: ["start", "effects"],
    waits: 10_000,
    play: mustStayRejected,
  }),
];

/** Without such a clock, lets twice the longest time of an action pass since the first rejection, in real time at any scale. */
async function awaitLateActions(context: ScenarioContext): Promise<void> {
  const first = Math.min(...rejectedIn(context).map(({ at }) => at));
  const left = 2 * longestAction(context) - (performance.now() - first);
  await context.wait(Math.max(0, left) / Math.min(1, context.setting.timeScale ?? 1));
}

async function mustStayRejected(context: ScenarioContext): Promise<void> {
  const { isDefiant, blind } = await conductOf(context);
  if (isDefiant) throw new TargetSkip("it acts on rejections at once, which other scenarios report");
  if (blind !== undefined) return context.skip(rule, blind.why, blind.cause);
  const asked = await askedOf(await openLine(context), context, "irreversible");
  if (!(await rejectOpen(asked))) throw new TargetSkip("a rejection had no effect");
  if (await movesActions(context)) await lapse(context, aMinute);
  else await awaitLateActions(context);
  for (const { asked: rejected, actions } of rejectedIn(context)) {
    const later = (await effectsOf({ ...rejected, context }))?.length ?? 0;
    const why = "an action was carried out after its session had ended with the rejection";
    context.expect(rule, later <= actions, why, { texts: [rejected.id] });
  }
}
