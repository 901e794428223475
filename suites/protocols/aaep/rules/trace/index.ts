import type { RuleFamily } from "../../../../../schemas/index.ts";
import { asking } from "./asking.ts";
import { call } from "./call.ts";
import { completion } from "./completion.ts";
import { delivery } from "./delivery.ts";
import { following } from "./following.ts";
import { lifecycle } from "./lifecycle.ts";
import { number } from "./number.ts";
import { order } from "./order.ts";
import { output } from "./output.ts";
import { pace } from "./pace.ts";
import { permission } from "./permission.ts";
import { position } from "./position.ts";
import { rejection } from "./rejection.ts";
import { reply } from "./reply.ts";
import { state } from "./state.ts";
import { subscription } from "./subscription.ts";
import { wording } from "./wording.ts";

export { entryOf } from "./entry.ts";

/** The rules about recorded sessions, family by family. */
export const traceFamilies: readonly RuleFamily[] = [
  order,
  number,
  lifecycle,
  state,
  call,
  completion,
  position,
  output,
  permission,
  rejection,
  asking,
  following,
  reply,
  subscription,
  pace,
  delivery,
  wording,
];
