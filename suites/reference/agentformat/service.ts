import { documentNamed } from "../../../schemas/index.ts";
import { ruled, type Service, verdicts } from "../service.ts";

/** A validator of agent files, which are written in YAML or JSON. The format has no endpoint of its own. */
export const agentformat: Service = {
  protocol: "agentformat",
  media: ["application/json", "application/yaml"],
  routes(app, { protocol, judge, intake }) {
    const agent = documentNamed(protocol, "agent");
    app.post("/validate", intake(verdicts(({ value, bytes }) => ruled(judge(agent, value, bytes)))));
  },
};
