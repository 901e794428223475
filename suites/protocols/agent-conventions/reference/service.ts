import {
  type Body,
  documentNamed,
  isObject,
  type Reason,
  type Ruling,
  type Service,
  type ServiceContext,
} from "../../../../schemas/index.ts";
import { rulingOn, verdictIntake } from "../../../packs/reference/service.ts";

/** The document for each category, the part of `message_type` before the dot. */
const documentByCategory = new Map([
  ["task", "task"],
  ["status", "status"],
  ["coord", "coordination"],
  ["escalation", "escalation"],
  ["ack", "acknowledgment"],
]);

/** A validator of messages between agents. The endpoint is ours, since the conventions do not define one. */
export const service: Service = {
  protocol: "agent-conventions",
  media: ["application/json", "application/yaml"],
  routes(app, context) {
    app.post("/validate", context.intake(verdictIntake((body) => judgeMessage(body, context))));
  },
};

function judgeMessage({ value, bytes }: Body, { protocol, judge }: ServiceContext): Ruling {
  const refuseFor = (reason: Reason): Ruling => rulingOn({ breaches: [reason], advice: [] });
  if (!isObject(value)) return refuseFor({ at: "", keyword: "type", rule: "CONV-BASE-001", message: "must be object" });
  if (!Object.hasOwn(value, "message_type")) {
    const message = "must have required property 'message_type'";
    return refuseFor({ at: "", keyword: "required", rule: "CONV-BASE-002", message });
  }
  const [category, ...remainder] = String(value.message_type).split(".");
  const name = documentByCategory.get(category ?? "");
  if (typeof value.message_type === "string" && name !== undefined && remainder.length > 0) {
    return rulingOn(judge(documentNamed(protocol, name), value, bytes));
  }
  const message = `must begin with one of ${[...documentByCategory.keys()].map((key) => `${key}.`).join(", ")}`;
  return refuseFor({ at: "/message_type", rule: "CONV-BASE-006", message });
}
