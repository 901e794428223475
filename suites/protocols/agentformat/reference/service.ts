import { documentNamed, type Service } from "../../../../schemas/index.ts";
import { rulingOn, verdictIntake } from "../../../packs/reference/service.ts";

/** A validator of agent files in YAML or JSON. The endpoint is ours, since the format does not define one. */
export const service: Service = {
  protocol: "agentformat",
  media: ["application/json", "application/yaml"],
  routes(app, { protocol, judge, intake }) {
    const agent = documentNamed(protocol, "agent");
    app.post("/validate", intake(verdictIntake(({ value, bytes }) => rulingOn(judge(agent, value, bytes)))));
  },
};
